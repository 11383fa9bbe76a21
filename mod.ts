/**
 * The runtime a coding agent uses for its MCP servers: it finds every server that a machine and a
 * project declare, decides which may run, connects to them side by side, and offers their tools.
 *
 * @example
 * ```ts
 * import { discoverAndLoadMCPTools } from "@hotplug/mcp";
 *
 * const { tools, errors, manager } = await discoverAndLoadMCPTools();
 * await using _closing = manager;
 * for (const { path, error } of errors) console.error(`${path}: ${error.message}`);
 * console.log(tools.map(({ tool }) => tool.name));
 * ```
 *
 * @module
 */

// Start-up
export {
  discoverAndLoadMCPTools,
  discoverMCPServers,
  type LoadedMCPTool,
  type LoadedMCPTools,
} from "./src/session/loader.ts";
export type { LoadError } from "./src/session/load_errors.ts";
export type { LoadMCPToolsOptions } from "./src/session/load_options.ts";
export type { ReconcileReport } from "./src/session/config_watch.ts";

// Sessions
export { createSession } from "./src/session/create_session.ts";
export type { MCPSession } from "./src/session/session.ts";
export type { LeftOut, SessionOptions, ToolKeeper } from "./src/session/session_options.ts";
export type { DelegatedTools, DelegateOptions } from "./src/session/delegate.ts";
export type { RefreshOutcome, ToolSet, ToolSetDiff } from "./src/model/tool_set.ts";
export type {
  RefreshReport,
  ReloadedServer,
  ReloadRequest,
  SessionInfo,
  SessionStatus,
  SteeredSession,
} from "./src/model/session_view.ts";

// Discovery
export { loadAllMCPConfigs, type LoadOptions, type TrustMode } from "./src/plan/discover.ts";
export type { PolicyPlace } from "./src/plan/policy_file.ts";
export { PolicyGate } from "./src/plan/policy_gate.ts";
export type { MayRun, RunCandidate } from "./src/model/run_candidate.ts";
export type { ReadFile, Source, SourceContext, SourceReading } from "./src/sources/source.ts";
export type { TextFile } from "./src/platform/text_file.ts";
export type {
  LoadedConfigs,
  OtherDefinition,
  Plan,
  PlannedServer,
  PlanState,
  Verdict,
} from "./src/model/plan.ts";
export type {
  Definition,
  OffSwitch,
  OffUndo,
  ResolvedConfig,
  ServerConfig,
  TransportType,
} from "./src/model/definition.ts";
export type {
  EnvironmentPolicy,
  PlaceholderDialect,
  Scope,
  SourceInfo,
  SourceReport,
  SourceState,
  WorkspaceSwitches,
} from "./src/model/source.ts";
export { validateServerConfig } from "./src/definitions/validate.ts";
export type { HotplugFolders, Machine } from "./src/model/machine.ts";

// Runtime
export { MCPManager } from "./src/runtime/manager.ts";
export type {
  ConnectServersOptions,
  ConnectServersResult,
  DisconnectOptions,
  ManagerCompanion,
  MCPManagerOptions,
  RetryOptions,
} from "./src/runtime/manager_options.ts";
export type { CompletionArgument, CompletionOptions } from "./src/runtime/server_calls.ts";
export type { AskAsker, Asker, ForwardOptions } from "./src/model/forward.ts";
export type { Reconciled, ReconcileOptions } from "./src/runtime/reconcile_servers.ts";
export type { ReconcileMode } from "./src/runtime/reconcile.ts";
export type { Clock } from "./src/runtime/clock.ts";
export type { FurtherList } from "./src/runtime/further_lists.ts";
export type { ConnectionStatus, ServerState } from "./src/model/server_state.ts";
export type { ProtocolEra, ServerView, SourceView } from "./src/model/server_view.ts";

// One connection
export { type ConnectOptions, connectToServer } from "./src/connection/connect.ts";
export type { Timers } from "./src/connection/timers.ts";
export {
  listPrompts,
  listResources,
  listResourceTemplates,
  listTools,
} from "./src/connection/listing.ts";
export {
  callTool,
  complete,
  type Completion,
  type CompletionRef,
  getPrompt,
  ping,
  readResource,
} from "./src/connection/calls.ts";
export type {
  MCPServerConnection,
  ServerHost,
  ServerNotification,
} from "./src/model/connection.ts";
export type {
  ListedItem,
  Listing,
  ListKind,
  ServerIdentity,
  ToolInfo,
} from "./src/model/listing.ts";

// Tools
export { MCPTool, type ToolOffer } from "./src/tools/mcp_tool.ts";
export { DeferredMCPTool, type WaitForCaller } from "./src/tools/deferred_mcp_tool.ts";
export type { RenderOptions } from "./src/tools/render_result.ts";
export type { NamingStyle } from "./src/tools/public_name.ts";
export { forVendor, type ModelVendor, type VendorSchema } from "./src/tools/model_schema.ts";
export { chooseTools, type ChosenTools } from "./src/tools/choose_tools.ts";
export { executorOf, type ExecutorOptions, type ToolExecutor } from "./src/tools/tool_executor.ts";
export type {
  CallToolResult,
  Progress,
  RequestOptions,
  Tool,
  ToolCaller,
  ToolContent,
  ToolResult,
} from "./src/model/tool.ts";

// A host that registers tools
export {
  type HostRegistry,
  HostTools,
  type HostToolsOptions,
  type HostToolsReport,
} from "./src/session/host_tools.ts";

// Tools and results in the shapes of model vendors
export type { ToolWarning, VendorTools } from "./src/tools/vendor_tools.ts";
export {
  type OpenAIChatTool,
  type OpenAIResponsesTool,
  toOpenAIChatTools,
  toOpenAIResponsesTools,
} from "./src/tools/openai_tools.ts";
export {
  type OpenAIChatAnswer,
  type OpenAIChatPicture,
  type OpenAIResponsesAnswer,
  type OpenAIResponsesPart,
  toOpenAIChatAnswer,
  toOpenAIResponsesAnswer,
} from "./src/tools/openai_answer.ts";
export { type AnthropicTool, toAnthropicTools } from "./src/tools/anthropic_tools.ts";
export {
  type AnthropicAnswer,
  type AnthropicPart,
  toAnthropicAnswer,
} from "./src/tools/anthropic_answer.ts";
export { type GeminiFunction, type GeminiTool, toGeminiTools } from "./src/tools/gemini_tools.ts";
export {
  type GeminiAnswerPart,
  type GeminiCall,
  toGeminiAnswer,
} from "./src/tools/gemini_answer.ts";
export {
  type AiSdkCallOptions,
  type AiSdkOptions,
  type AiSdkSchema,
  type AiSdkTool,
  type AiSdkTools,
  toAiSdkTools,
} from "./src/tools/ai_sdk_tools.ts";
export { type AiSdkOutput, type AiSdkPart, toAiSdkOutput } from "./src/tools/ai_sdk_output.ts";

// What a host can supply
export type { AuthProvider, AuthStorage } from "./src/model/auth.ts";
export type {
  ElicitAnswer,
  FormElicitation,
  HandlerContext,
  HostHandlers,
  Root,
  SamplingAnswer,
  SamplingRequest,
  UrlElicitation,
} from "./src/model/host_handlers.ts";
export type {
  AfterCallEvent,
  BeforeCallEvent,
  BeforeConnectEvent,
  CallAnswer,
  ConnectAnswer,
  EventHooks,
  HookConnection,
  HookContext,
  HookError,
  HookRewrite,
  HookTool,
  HookVeto,
  ResultSummary,
  ServerStateEvent,
  ToolsChangedEvent,
} from "./src/model/event_hooks.ts";
export type {
  BrokenHook,
  HookEvent,
  HookProgram,
  HookScope,
  HookSet,
  VetoEvent,
} from "./src/model/hook_program.ts";
export type { GivenHooks } from "./src/interceptors/asked_hooks.ts";
export type { LoggingLevel, LogMessage } from "./src/model/log_message.ts";
export type { LogListener, StashedLogs } from "./src/runtime/log_stash.ts";
export type { CacheEntry, ListRead, ToolCache } from "./src/model/cache.ts";
export { memoryToolCache } from "./src/cache/memory_tool_cache.ts";
export { fileToolCache } from "./src/cache/file_tool_cache.ts";
export { type Logger, type LogLevel, silentLogger } from "./src/model/log.ts";
export type {
  LoggedServer,
  LogLine,
  LogStream,
  ServerLog,
  ServerLogs,
} from "./src/model/server_log.ts";
export { fileServerLogs, type FileServerLogsOptions } from "./src/platform/server_logs.ts";
export type { WireTrace, WireTraceEvent } from "./src/model/wire_trace.ts";
export type { TelemetryContext, TelemetrySpan, TelemetryTracer } from "./src/model/telemetry.ts";

// Errors and JSON
export {
  type ErrorCode,
  type ErrorInfo,
  HotplugError,
  type HotplugErrorOptions,
  isAbortError,
} from "./src/model/errors.ts";
export type { JsonObject, JsonValue } from "./src/model/json.ts";
