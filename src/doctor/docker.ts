import type { Finding } from "./finding.ts";
import { listed, NOWHERE } from "./finding.ts";

/** What became of knocking at the socket of Docker's daemon. */
export type DaemonAnswer = "answers" | "absent" | "refused" | "forbidden" | "silent";

/** One daemon, and the servers that need it. */
export interface DaemonFacts {
  /** Where it was looked for: the path of its socket or pipe. */
  readonly socket: string;
  /** What happened there. */
  readonly answer: DaemonAnswer;
  /** Names of the servers that are started through it. */
  readonly servers: readonly string[];
}

/** Whether the daemon runs that servers in containers need. Pure. */
export function dockerFindings(daemon: DaemonFacts): readonly Finding[] {
  const { socket, answer, servers } = daemon;
  if (answer === "answers" || servers.length === 0) return [];
  const [server = null] = servers;
  return [{
    check: "docker",
    severity: "error",
    ...NOWHERE,
    server: servers.length === 1 ? server : null,
    message:
      `Docker's daemon, which ${listed(servers)} ${servers.length === 1 ? "needs" : "need"}` +
      `, ${STATES[answer]} ("${socket}")`,
    remedy: answer === "forbidden"
      ? "Join the group of that socket (sudo usermod -aG docker $USER) and log in again"
      : "Start Docker Desktop, or the daemon: sudo systemctl start docker",
  }];
}

const STATES: Readonly<Record<Exclude<DaemonAnswer, "answers">, string>> = {
  absent: "does not run: its socket is not there",
  refused: "does not run: nobody listens at its socket",
  forbidden: "does not let you in: you may not use its socket",
  silent: "does not answer at its socket",
};
