import type { LoadOptions } from "../plan/discover.ts";
import type { MCPManagerOptions } from "../runtime/manager_options.ts";
import type { ReconcileReport } from "./config_watch.ts";

/** What {@linkcode discoverAndLoadMCPTools} takes. */
export interface LoadMCPToolsOptions
  extends
    Omit<LoadOptions, "cwd">,
    Omit<MCPManagerOptions, "discover" | "mayRun" | "workspacePath" | "machine" | "folders"> {
  /** `false`: nothing is discovered and nothing starts. Default `true`. */
  readonly enableMCP?: boolean;
  /**
   * Whether an edited config takes effect by itself as long as the manager lives. Default: what
   * the settings say, else `false`; for a gateway `true`.
   */
  readonly watch?: boolean;
  /** Called when a watched change has taken effect, or a watched file cannot be used any more. */
  readonly onReconciled?: (report: ReconcileReport) => void;
}
