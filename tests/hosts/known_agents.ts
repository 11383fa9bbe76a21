import { fromRepository } from "../harness/repository.ts";
import { type Agent, bunPackage, forThisMachine, rustTarget } from "./agents.ts";

const CLAUDE_CODE_PACKAGE = forThisMachine("@anthropic-ai/claude-code");

/** Claude Code. */
export const CLAUDE_CODE: Agent = {
  name: "claude-code",
  version: "2.1.332",
  packages: [`${CLAUDE_CODE_PACKAGE}@2.1.332`],
  command: [`${CLAUDE_CODE_PACKAGE}/claude`],
  env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" },
};

const CLINE_PACKAGE = forThisMachine("@cline/cli");

/** Cline's program for the terminal. */
export const CLINE: Agent = {
  name: "cline",
  version: "3.0.65",
  packages: [`${CLINE_PACKAGE}@3.0.65`],
  command: [`${CLINE_PACKAGE}/bin/cline`],
};

/** Codex. */
export const CODEX: Agent = {
  name: "codex",
  version: "0.171.0",
  // Each machine's program is a version of its own.
  packages: [forThisMachine("@openai/codex@0.171.0")],
  command: [`@openai/codex/vendor/${rustTarget()}/bin/codex`],
};

/** Continue's program for the terminal. */
export const CONTINUE: Agent = {
  name: "continue",
  version: "1.5.47",
  packages: ["@continuedev/cli@1.5.47"],
  command: ["node", "@continuedev/cli/dist/cn.js"],
  env: { CONTINUE_TELEMETRY_ENABLED: "0" },
};

const COPILOT_PACKAGE = forThisMachine("@github/copilot");

/** Copilot's program for the terminal. */
export const COPILOT: Agent = {
  name: "copilot",
  version: "1.0.102",
  packages: [`${COPILOT_PACKAGE}@1.0.102`],
  command: [`${COPILOT_PACKAGE}/copilot`],
  env: {
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_OFFLINE: "true",
    // It unpacks itself at its first start; once for all homes is enough.
    COPILOT_PKG_CACHE_HOME: fromRepository("dist/agents/copilot-1.0.102/unpacked"),
  },
};

/** Gemini CLI. In a folder that it does not trust it replaces the project's settings. */
export const GEMINI_CLI: Agent = {
  name: "gemini-cli",
  version: "0.61.0",
  packages: ["@google/gemini-cli@0.61.0"],
  command: ["node", "@google/gemini-cli/bundle/gemini.js"],
  env: { GEMINI_CLI_TRUST_WORKSPACE: "true", GEMINI_CLI_NO_RELAUNCH: "true" },
};

/** oh-my-pi. */
export const OH_MY_PI: Agent = {
  name: "oh-my-pi",
  version: "18.2.3",
  packages: [
    "@oh-my-pi/pi-coding-agent@18.2.3",
    forThisMachine("@oh-my-pi/pi-natives") + "@18.2.3",
    `${bunPackage()}@1.4.5`,
  ],
  command: [`${bunPackage()}/bin/bun`, "@oh-my-pi/pi-coding-agent/dist/cli.js"],
  // The rest of what is optional runs models on this machine.
  lean: true,
};

const OPENCODE_PACKAGE = forThisMachine("opencode");

/** opencode. */
export const OPENCODE: Agent = {
  name: "opencode",
  version: "1.18.33",
  packages: [`${OPENCODE_PACKAGE}@1.18.33`],
  command: [`${OPENCODE_PACKAGE}/bin/opencode`],
  env: {
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_SHARE: "1",
  },
};

/** pi. */
export const PI: Agent = {
  name: "pi",
  version: "1.6.0",
  packages: ["@earendil-works/pi-coding-agent@1.6.0"],
  command: ["node", "@earendil-works/pi-coding-agent/dist/bundle/cli.js"],
  env: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
};

/** pi under its former name, which knows no MCP. */
export const FORMER_PI: Agent = {
  name: "pi",
  version: "0.73.1",
  packages: ["@mariozechner/pi-coding-agent@0.73.1"],
  command: ["node", "@mariozechner/pi-coding-agent/dist/cli.js"],
  env: { PI_OFFLINE: "1", PI_TELEMETRY: "0" },
};

/** Qwen Code. */
export const QWEN_CODE: Agent = {
  name: "qwen-code",
  version: "0.24.4",
  packages: ["@qwen-code/qwen-code@0.24.4"],
  command: ["node", "@qwen-code/qwen-code/cli-entry.js"],
  env: { QWEN_CODE_NO_RELAUNCH: "true" },
};
