// Writes lines to the log of one server, as one of several hosts does.
// Arguments: folder, name of this writer, number of lines.
import { appendLog } from "../../../src/platform/log_file.ts";
import { lineText } from "../../../src/platform/log_line.ts";
import { logFileName } from "../../../src/platform/log_place.ts";

const [folder = "", writer = "", count = "0"] = Deno.args;
const origin = { server: "a", workspace: "/w" };
const path = `${folder}/${logFileName(origin)}`;
for (let number = 0; number < Number(count); number += 10) {
  const lines = Array.from({ length: 10 }, (_, index) =>
    lineText({
      time: new Date().toISOString(),
      level: "info",
      stream: "stderr",
      pid: Deno.pid,
      ...origin,
      message: `${writer} ${number + index} ${"x".repeat(500)}`,
    }));
  await appendLog(path, lines.join(""), Date.now());
}
