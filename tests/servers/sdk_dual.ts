/**
 * A server that speaks 2026-07-28 and the revisions before it. `sdk_dual.ts [stdio | http [port]]`
 * @module
 */
import { runV2Server } from "./sdk_v2_server.ts";

runV2Server("dual");
