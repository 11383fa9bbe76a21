import { CLAUDE_CODE_DRIVER } from "./drivers/claude_code.ts";
import { CODEX_DRIVER } from "./drivers/codex.ts";
import { GEMINI_CLI_DRIVER } from "./drivers/gemini_cli.ts";
import { CLINE_DRIVER } from "./drivers/cline.ts";
import { CONTINUE_DRIVER } from "./drivers/continue.ts";
import { COPILOT_DRIVER } from "./drivers/copilot.ts";
import { QWEN_CODE_DRIVER } from "./drivers/qwen_code.ts";
import { OH_MY_PI_DRIVER } from "./drivers/oh_my_pi.ts";
import { OPENCODE_DRIVER } from "./drivers/opencode.ts";
import { FORMER_PI_DRIVER, PI_DRIVER } from "./drivers/pi.ts";
import type { HostDriver } from "./host_driver.ts";

/** Hosts that every run of the tests drives. */
export const DRIVEN: readonly HostDriver[] = [
  FORMER_PI_DRIVER,
  PI_DRIVER,
  OPENCODE_DRIVER,
  CLAUDE_CODE_DRIVER,
  GEMINI_CLI_DRIVER,
  CODEX_DRIVER,
];

/** Hosts that are driven on demand. */
export const DRIVEN_ON_DEMAND: readonly HostDriver[] = [
  OH_MY_PI_DRIVER,
  COPILOT_DRIVER,
  QWEN_CODE_DRIVER,
  CLINE_DRIVER,
  CONTINUE_DRIVER,
];
