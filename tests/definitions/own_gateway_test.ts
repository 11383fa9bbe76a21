import assert from "node:assert/strict";
import { startsOwnGateway } from "../../src/definitions/own_gateway.ts";

const OWN = { executable: "/usr/bin/deno", script: "/opt/hotplug/cli.ts" };

/** Command lines, each as its words. */
type Lines = readonly (readonly [string, ...string[]])[];

function check(lines: Lines, expected: boolean): void {
  for (const [command, ...args] of lines) {
    const found = startsOwnGateway({ command, args }, OWN);
    assert.equal(found, expected, JSON.stringify([command, ...args]));
  }
}

Deno.test("the gateway is told by its program, its package and its script", () => {
  check([
    ["mcp", "serve"],
    ["/home/u/.local/bin/hotplug", "--verbose", "serve", "--for", "codex"],
    ["C:\\Tools\\MCP.exe", "serve"],
    ["deno", "run", "-A", "/opt/hotplug/cli.ts", "serve"],
    ["deno", "run", "-A", "--config", "/x/deno.json", "/opt/hotplug/cli.ts", "serve"],
    ["deno", "-q", "run", "-A", "file:///opt/hotplug/cli.ts", "serve"],
    ["deno", "run", "-A", "jsr:@hotplug/mcp@1/cli", "serve", "--http"],
    ["deno", "x", "jsr:@hotplug/mcp", "serve"],
    ["deno", "run", "-A", "npm:@hotplug/mcp", "serve"],
    ["node", "--import", "tsx", "/opt/hotplug/cli.ts", "serve"],
    ["bun", "run", "/opt/hotplug/cli.ts", "serve"],
    ["npx", "-y", "@hotplug/mcp", "serve"],
    ["npx", "--yes", "@hotplug/mcp@1.2.3", "serve", "--only", "x"],
    ["npx", "-y", "-p", "@hotplug/mcp", "hotplug", "serve"],
    ["npx", "--package=@hotplug/mcp@next", "-y", "--", "mcp", "serve"],
    ["npx", "-c", "hotplug serve --for zed"],
    ["npx.cmd", "-y", "@hotplug/mcp", "serve"],
    ["npm", "exec", "-y", "--", "@hotplug/mcp", "serve"],
    ["bunx", "@hotplug/mcp", "serve"],
    ["bun", "x", "@hotplug/mcp", "serve"],
    ["pnpm", "dlx", "@hotplug/mcp", "serve"],
    ["pnpm", "--package=@hotplug/mcp", "dlx", "mcp", "serve"],
    ["yarn", "dlx", "@hotplug/mcp", "serve"],
    ["npx", "-y", "deno", "run", "-A", "jsr:@hotplug/mcp", "serve"],
  ], true);
});

Deno.test("it is told through shells, launchers and runners, also through several", () => {
  check([
    ["sh", "-c", "mcp serve"],
    ["/bin/bash", "-lc", "cd /work && exec mcp serve --for codex 2>>/tmp/log"],
    ["zsh", "-l", "-i", "-c", "export A=b; mcp serve"],
    ["bash", "-o", "pipefail", "-c", "mcp serve | tee /tmp/log"],
    ["sh", "-c", "if true; then A='b c' \"/home/u/my bin/mcp\" 'serve'; fi"],
    ["sh", "-c", "# the tools of all\nmcp serve"],
    ["sh", "-c", "sh -c 'mcp serve'"],
    ["fish", "--command", "npx -y @hotplug/mcp serve"],
    ["cmd", "/c", "npx", "-y", "@hotplug/mcp", "serve"],
    ["cmd.exe", "/d", "/s", "/c", '"C:\\Program Files\\hotplug\\mcp.exe" serve'],
    ["cmd", "/c", "cd", "/d", "C:\\work", "&&", "mcp", "serve"],
    ["cmd", "/c", "start /b mcp serve"],
    ["powershell", "-NoProfile", "-ExecutionPolicy", "Bypass", "-Command", "mcp serve"],
    ["powershell.exe", "-c", "& 'C:\\hotplug\\mcp.exe' serve"],
    ["pwsh", "-NoLogo", "-Command", "& { mcp serve }"],
    ["powershell", "mcp", "serve"],
    ["env", "A=b", "mcp", "serve"],
    ["/usr/bin/env", "-i", "-u", "X", "A=b", "C=d", "mcp", "serve"],
    ["env", "-S", "A=b mcp serve"],
    ["env", "--split-string=mcp", "serve"],
    ["nohup", "mcp", "serve"],
    ["nice", "-n", "5", "mcp", "serve"],
    ["timeout", "-k", "5", "1h", "mcp", "serve"],
    ["stdbuf", "-o", "L", "mcp", "serve"],
    ["sudo", "-u", "x", "-H", "mcp", "serve"],
    ["sudo", "-n", "A=b", "env", "C=d", "nohup", "mcp", "serve"],
    ["doas", "-u", "x", "mcp", "serve"],
    ["mise", "exec", "node@22", "--", "mcp", "serve"],
    ["op", "run", "--env-file=x", "--", "npx", "-y", "@hotplug/mcp", "serve"],
    ["dotenvx", "run", "--", "sh", "-c", "mcp serve"],
  ], true);
});

Deno.test("what only looks like it, or cannot be told, is not it", () => {
  check([
    ["mcp", "run", "server.py"],
    ["mcp", "run", "serve"],
    ["mcp", "tools", "serve"],
    ["mcp"],
    ["mcporter", "serve"],
    ["other", "serve"],
    ["claude", "mcp", "serve"],
    ["codex", "mcp", "serve"],
    ["npx", "-y", "@anthropic-ai/claude-code", "mcp", "serve"],
    ["sh", "-c", "claude mcp serve"],
    ["sh", "-c", "echo mcp serve"],
    ["sh", "-c", "exec my-server --note 'mcp serve'"],
    ["sh", "-c", "# mcp serve\nmy-server"],
    ["sh", "mcp", "serve"],
    ["sh", "/work/mcp", "serve"],
    ["cmd", "/c", "echo", "mcp", "serve"],
    ["powershell", "-File", "mcp.ps1", "serve"],
    ["powershell", "-EncodedCommand", "mcp serve"],
    ["env", "A=mcp serve", "my-server"],
    ["my-server", "mcp serve"],
    ["my-server", "--description", "mcp", "serve"],
    ["my-server", "--", "mcp", "serve"],
    ["uv", "run", "mcp", "serve"],
    ["uv", "run", "--", "mcp", "serve"],
    ["uvx", "mcp", "serve"],
    ["/work/.venv/bin/mcp", "serve"],
    ["C:\\work\\venv\\Scripts\\mcp.exe", "serve"],
    ["python", "-m", "mcp", "serve"],
    ["npx", "-y", "mcp", "serve"],
    ["npx", "-y", "-p", "other", "mcp", "serve"],
    ["npx", "@hotplug/mcp-extra", "serve"],
    ["npx", "x@hotplug/mcp", "serve"],
    ["npx", "-y", "@hotplug/mcp", "tools"],
    ["npx", "-y", "other", "@hotplug/mcp", "serve"],
    ["npm", "run", "@hotplug/mcp", "serve"],
    ["deno", "serve", "main.ts"],
    ["/usr/bin/deno", "serve", "main.ts"],
    ["deno", "run", "-A", "other.ts", "jsr:@hotplug/mcp", "serve"],
    ["node", "other.js", "/opt/hotplug/cli.ts", "serve"],
    ["docker", "run", "-i", "image", "mcp", "serve"],
    ["podman", "exec", "box", "--", "mcp", "serve"],
    ["ssh", "host", "--", "mcp", "serve"],
    ["kubectl", "exec", "pod", "--", "mcp", "serve"],
    ["env"],
    ["sh", "-c"],
    ["timeout"],
    ["sudo", "-u"],
  ], false);
  assert.equal(startsOwnGateway({}, OWN), false);
});

Deno.test("the script and the executable count only when they are known", () => {
  const script = { command: "deno", args: ["run", "-A", "/opt/hotplug/cli.ts", "serve"] };
  assert.equal(startsOwnGateway(script, null), false);
  const built = { executable: "/opt/bin/tools-of-all", script: null };
  const line = { command: "/opt/bin/tools-of-all", args: ["serve"] };
  assert.equal(startsOwnGateway(line, built), true);
  assert.equal(startsOwnGateway(line, OWN), false);
});

Deno.test("a wrapper around a wrapper without an end is looked through only so far", () => {
  const args = [...Array.from({ length: 10_000 }, () => "env"), "mcp", "serve"];
  assert.equal(startsOwnGateway({ command: "env", args }, OWN), false);
});
