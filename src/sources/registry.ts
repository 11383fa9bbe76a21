import { ai4j } from "./ai4j.ts";
import { amazonQ } from "./amazon_q.ts";
import { amp } from "./amp.ts";
import { antigravity } from "./antigravity.ts";
import { auggie } from "./auggie.ts";
import { avelinoMcp } from "./avelino_mcp.ts";
import { claudeCode } from "./claude_code.ts";
import { claudeDesktop } from "./claude_desktop.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { continueDev } from "./continue_dev.ts";
import { copilotCli } from "./copilot_cli.ts";
import { copilotEditors } from "./copilot_editors.ts";
import { crush } from "./crush.ts";
import { cursor } from "./cursor.ts";
import { deepagents } from "./deepagents.ts";
import { devin } from "./devin.ts";
import { factoryDroid } from "./factory_droid.ts";
import { fiveIre } from "./five_ire.ts";
import { geminiCli } from "./gemini_cli.ts";
import { goose } from "./goose.ts";
import { grok } from "./grok.ts";
import { hermes } from "./hermes.ts";
import { inspector } from "./inspector.ts";
import { jetbrainsAi } from "./jetbrains_ai.ts";
import { junie } from "./junie.ts";
import { kilo } from "./kilo.ts";
import { kimi } from "./kimi.ts";
import { kiro } from "./kiro.ts";
import { lmStudio } from "./lm_studio.ts";
import { mcpCli } from "./mcp_cli.ts";
import { mcpHub } from "./mcp_hub.ts";
import { mcpJson } from "./mcp_json.ts";
import { mcporter } from "./mcporter.ts";
import { mistralVibe } from "./mistral_vibe.ts";
import { muse } from "./muse.ts";
import { ohMyPi } from "./oh_my_pi.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qoder } from "./qoder.ts";
import { qwenCode } from "./qwen_code.ts";
import { reasonix } from "./reasonix.ts";
import { rooCode } from "./roo.ts";
import { rovoDev } from "./rovo_dev.ts";
import { sema4 } from "./sema4.ts";
import type { HostSource } from "./host_writer.ts";
import { store } from "./store.ts";
import { trae } from "./trae.ts";
import { vscode, vscodeInsiders, vscodium } from "./vscode.ts";
import { warp } from "./warp.ts";
import { windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

/**
 * Every source that is read, in the order in which reports are shown; of sources of one rank the
 * earlier is the stronger. Zed is last of its rank: it names servers that only Zed can start.
 */
export const SOURCES: readonly HostSource[] = [
  store,
  ohMyPi,
  claudeCode,
  mcpJson,
  codex,
  geminiCli,
  opencode,
  cursor,
  windsurf,
  cline,
  vscode,
  vscodeInsiders,
  vscodium,
  claudeDesktop,
  copilotCli,
  copilotEditors,
  ai4j,
  amazonQ,
  amp,
  antigravity,
  auggie,
  avelinoMcp,
  continueDev,
  crush,
  deepagents,
  devin,
  factoryDroid,
  fiveIre,
  goose,
  grok,
  hermes,
  inspector,
  jetbrainsAi,
  junie,
  kilo,
  kimi,
  kiro,
  lmStudio,
  mcpCli,
  mcpHub,
  mcporter,
  mistralVibe,
  muse,
  pi,
  qoder,
  qwenCode,
  reasonix,
  rooCode,
  rovoDev,
  sema4,
  trae,
  warp,
  zed,
];
