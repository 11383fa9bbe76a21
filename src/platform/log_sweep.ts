import { sweepDaily, type SweptFile } from "./daily_sweep.ts";

/** How long a log is kept that nothing was added to: 30 days. */
export const LOG_KEPT_MS: number = 30 * 24 * 60 * 60 * 1000;

/** Which files have to go; what is no log is none of ours. */
export function logsToSweep(
  files: readonly Pick<SweptFile, "name" | "writtenAt">[],
  now: number,
): readonly string[] {
  return files.filter(({ name, writtenAt }) =>
    /\.jsonl(?:\.[1-9]|\.lock)?$/.test(name) && now - writtenAt > LOG_KEPT_MS
  ).map(({ name }) => name);
}

/** Removes old logs, at most once a day. Never rejects. */
export async function sweepLogs(folder: string, now: number): Promise<void> {
  await sweepDaily(folder, now, logsToSweep);
}
