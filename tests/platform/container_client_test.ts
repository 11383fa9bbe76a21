import assert from "node:assert/strict";

import { isContainerClient } from "../../src/platform/container_client.ts";

Deno.test("the clients of container engines are known by their names, wherever they lie", () => {
  const clients = ["docker", "/usr/bin/podman", "C:\\Program Files\\Docker\\docker.EXE", "nerdctl"];
  for (const program of clients) assert.equal(isContainerClient(program), true, program);
  for (const program of ["", "docker-mcp", "/opt/docker/npx", "dockerd", "node"]) {
    assert.equal(isContainerClient(program), false, program);
  }
});
