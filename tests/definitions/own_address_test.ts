import assert from "node:assert/strict";
import { leadsToOwnAddress } from "../../src/definitions/own_address.ts";
import type { ServerConfig } from "../../src/model/definition.ts";

const OWN = ["http://127.0.0.1:7777/mcp"];

Deno.test("a URL leads to an own address by any name of the loopback", () => {
  const same = [
    "http://127.0.0.1:7777/mcp",
    "http://localhost:7777/mcp",
    "HTTP://LocalHost:7777/mcp/",
    "http://[::1]:7777/mcp",
    "http://127.0.0.2:7777/mcp?x=1#y",
    "http://0.0.0.0:7777/mcp",
    "http://user:secret@localhost:7777/mcp",
  ];
  for (const url of same) assert.ok(leadsToOwnAddress({ url }, OWN), url);
  const others = [
    "http://127.0.0.1:7778/mcp",
    "http://127.0.0.1/mcp",
    "https://127.0.0.1:7777/mcp",
    "http://127.0.0.1:7777/other",
    "http://127.0.0.1:7777/mcp/x",
    "http://127.0.0.1.example.com:7777/mcp",
    "http://host.invalid:7777/mcp",
    "http://${HOST}:7777/mcp",
    "no URL",
    "",
  ];
  for (const url of others) assert.ok(!leadsToOwnAddress({ url }, OWN), url);
});

Deno.test("an address that is no loopback is compared as it is", () => {
  const own = ["http://gateway.invalid/mcp"];
  assert.ok(leadsToOwnAddress({ url: "http://gateway.invalid:80/mcp" }, own));
  assert.ok(!leadsToOwnAddress({ url: "http://localhost/mcp" }, own));
  assert.ok(!leadsToOwnAddress({ url: "http://gateway.invalid/mcp" }, []));
  assert.ok(!leadsToOwnAddress({ url: "http://gateway.invalid/mcp" }, ["no URL"]));
});

Deno.test("a bridge that is told an own address leads there, another program does not", () => {
  const url = "http://localhost:7777/mcp";
  const bridges: readonly ServerConfig[] = [
    { command: "npx", args: ["-y", "mcp-remote", url, "--header", "Authorization: Bearer x"] },
    { command: "npx", args: ["-y", "mcp-remote@0.1.29", url] },
    { command: "sh", args: ["-c", `exec npx mcp-remote "${url}"`] },
    { command: "cmd", args: ["/c", "npx", "mcp-remote", url] },
    { command: "uvx", args: ["mcp-proxy==0.8", url] },
    { command: "supergateway", args: ["--streamableHttp", url] },
  ];
  for (const config of bridges) assert.ok(leadsToOwnAddress(config, OWN), JSON.stringify(config));
  const others: readonly ServerConfig[] = [
    { command: "npx", args: ["-y", "mcp-remote", "http://localhost:7778/mcp"] },
    { command: "fetcher", args: ["--allow", url] },
    { command: "my-mcp-remote", args: [url] },
    { command: "npx", args: ["-y", "mcp-remote"], url },
    {},
  ];
  for (const config of others) assert.ok(!leadsToOwnAddress(config, OWN), JSON.stringify(config));
});
