import type { HostProfile } from "../model/host_profile.ts";

/** What differs from a host that is told of nothing but its entry. */
type Told = Partial<Omit<HostProfile, "id" | "label" | "loads">>;

/** Asks for the tools again as soon as it is told. */
const AT_ONCE: Told = { refreshes: true, asksAgain: "at-once" };
/** Asks for the tools again when it builds its model's next request. */
const NEXT_REQUEST: Told = { refreshes: true, asksAgain: "next-request" };
/** Its hook file gives tools to the host as they are named, so they must be telling alone. */
const BY_HOOK: Told = { ...AT_ONCE, naming: "prefixed" };

/**
 * Every kind of host agent that a hook file or an entry is known for. A host whose `refreshes` is
 * `false` was either seen to ignore the notice, or nobody has seen it heed one.
 */
export const HOST_PROFILES: readonly HostProfile[] = [
  profile("module", "Module for any agent", [], BY_HOOK),
  profile("pi", "pi", ["pi"], BY_HOOK),
  // It reads the files of six other agents, too.
  profile("omp", "oh-my-pi", [
    "oh-my-pi",
    "claude-code",
    "mcp-json",
    "codex",
    "gemini-cli",
    "opencode",
    "cursor",
  ], BY_HOOK),
  profile("opencode", "opencode", ["opencode"], AT_ONCE),
  profile("claude-code", "Claude Code", ["claude-code", "mcp-json"], {
    ...AT_ONCE,
    // Else it hides every tool behind a search.
    toolMeta: { "anthropic/alwaysLoad": true },
  }),
  profile("codex", "Codex", ["codex"], NEXT_REQUEST),
  profile("gemini", "Gemini CLI", ["gemini-cli"], AT_ONCE),
  profile("copilot", "Copilot CLI", ["copilot-cli", "mcp-json"], NEXT_REQUEST),
  profile("qwen", "Qwen Code", ["qwen-code", "mcp-json"]),
  profile("cursor", "Cursor", ["cursor"]),
  profile("vscode", "VS Code", ["vscode"], AT_ONCE),
  profile("vscode-insiders", "VS Code Insiders", ["vscode-insiders", "vscode"], AT_ONCE),
  profile("vscodium", "VSCodium", ["vscodium", "vscode"]),
  profile("zed", "Zed", ["zed"], AT_ONCE),
  profile("windsurf", "Windsurf", ["windsurf"]),
  profile("cline", "Cline", ["cline"]),
  profile("continue", "Continue", ["continue"]),
  profile("kiro", "Kiro", ["kiro"]),
  profile("amazon-q", "Amazon Q", ["amazon-q"]),
  profile("amp", "Amp", ["amp"]),
  profile("antigravity", "Antigravity", ["antigravity"]),
  profile("auggie", "Auggie", ["auggie"]),
  profile("claude-desktop", "Claude Desktop", ["claude-desktop"]),
  profile("crush", "Crush", ["crush"]),
  profile("deepagents", "Deep Agents Code", ["deepagents"]),
  profile("devin", "Devin", ["devin"]),
  profile("factory-droid", "Factory Droid", ["factory-droid"]),
  profile("goose", "Goose", ["goose"]),
  profile("grok", "Grok", ["grok"]),
  profile("hermes", "Hermes Agent", ["hermes"]),
  profile("jetbrains-ai", "JetBrains AI Assistant", ["jetbrains-ai"]),
  profile("junie", "Junie", ["junie"]),
  profile("kilo", "Kilo Code", ["kilo"]),
  profile("kimi", "Kimi Code", ["kimi"]),
  profile("lm-studio", "LM Studio", ["lm-studio"]),
  profile("mistral-vibe", "Mistral Vibe", ["mistral-vibe"]),
  profile("muse", "Muse Code", ["muse"]),
  profile("qoder", "Qoder", ["qoder"]),
  profile("reasonix", "Reasonix", ["reasonix"]),
  profile("roo-code", "Roo Code / Zoo Code", ["roo-code"]),
  profile("rovo-dev", "Rovo Dev", ["rovo-dev"]),
  profile("trae", "Trae", ["trae"]),
  profile("warp", "Warp", ["warp"]),
];

/** Other names of kinds: the ids of their sources, and what their programs are called. */
const ALIASES: Readonly<Record<string, string>> = {
  "oh-my-pi": "omp",
  "claude": "claude-code",
  "gemini-cli": "gemini",
  "copilot-cli": "copilot",
  "qwen-code": "qwen",
  "cn": "continue",
  "droid": "factory-droid",
  "roo": "roo-code",
};

/**
 * What is known of a kind of host agent; `null` when it is not known. Pure.
 *
 * @param id Its id such as `claude-code`, or another of its names such as `gemini-cli`; in any case.
 */
export function hostProfile(id: string): HostProfile | null {
  const wanted = id.trim().toLowerCase();
  const known = Object.hasOwn(ALIASES, wanted) ? ALIASES[wanted] : wanted;
  return HOST_PROFILES.find((one) => one.id === known) ?? null;
}

/** A profile of what is usual, changed by what was told. */
function profile(
  id: string,
  label: string,
  loads: readonly string[],
  told: Told = {},
): HostProfile {
  const usual = {
    refreshes: false,
    asksAgain: "at-once",
    toolMeta: null,
    naming: "server",
  } as const;
  return { id, label, loads, ...usual, ...told };
}
