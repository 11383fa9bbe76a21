import { ai4j } from "./ai4j.ts";
import { claudeCode } from "./claude_code.ts";
import { cline } from "./cline.ts";
import { cursor } from "./cursor.ts";
import { mcpJson } from "./mcp_json.ts";
import { ohMyPi } from "./oh_my_pi.ts";
import type { Source } from "./source.ts";
import { store } from "./store.ts";

/** Every source that is read, in the order in which reports are shown. */
export const SOURCES: readonly Source[] = [store, ai4j, ohMyPi, claudeCode, mcpJson, cursor, cline];
