/**
 * A server that speaks 2026-07-28 only. `sdk_modern.ts [stdio | http [port]]`
 * @module
 */
import { runV2Server } from "./sdk_v2_server.ts";

runV2Server("modern");
