import { existsSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import type { ErrorInfo } from "../model/errors.ts";
import type { Machine } from "../model/machine.ts";
import type { RunCandidate } from "../model/run_candidate.ts";
import { factsOf } from "../platform/local_files.ts";
import { readTextFile } from "../platform/text_file.ts";
import { policyReason } from "./policy_check.ts";
import { type PolicyPlace, policyPlace, readPolicyFile } from "./policy_file.ts";
import { policyOf } from "./policy_reading.ts";
import type { Policy } from "./policy_rules.ts";
import { programLooks, subjectOf } from "./policy_verdicts.ts";

/** A policy as it was read. */
interface ReadPolicy {
  /** What the file was then. */
  readonly sign: string;
  /** Whether it had changed so shortly before that a further change may have left no sign. */
  readonly isRacy: boolean;
  /** What it says; `null` when there was none. A promise as long as it is being read. Never rejects. */
  policy: Policy | null | Promise<Policy | null>;
  /** Whether not even the folder was there: most machines have no policy. */
  readonly isFolderAbsent: boolean;
  /** Answers that were given. */
  readonly answers: WeakMap<RunCandidate, ErrorInfo | null>;
}

/** Milliseconds within which two changes of a file may bear the same time. */
const RACY_MS = 2000;

/**
 * Tells of servers whether the machine's policy lets them run, by what the policy says now. Its
 * file is looked at each time, and read only when it has changed.
 */
export class PolicyGate {
  readonly #place: PolicyPlace;
  readonly #machine: Machine;
  readonly #now: () => number;
  #read: ReadPolicy | null = null;

  /**
   * A gate that has not looked at anything yet.
   * @param place Default: the machine's policy.
   * @param now Milliseconds since 1970.
   */
  constructor(
    machine: Machine,
    place: PolicyPlace = policyPlace(machine),
    now: () => number = Date.now,
  ) {
    this.#machine = machine;
    this.#place = place;
    this.#now = now;
  }

  /**
   * Why a server may not run; `null` when it may. A promise only where the policy has to be read
   * first. Never rejects.
   */
  check(candidate: RunCandidate): ErrorInfo | null | Promise<ErrorInfo | null> {
    const { policy, answers } = this.#current();
    if (policy instanceof Promise) {
      return policy.then((known) => this.#judged(candidate, known, answers));
    }
    return this.#judged(candidate, policy, answers);
  }

  #judged(
    candidate: RunCandidate,
    policy: Policy | null,
    answers: ReadPolicy["answers"],
  ): ErrorInfo | null {
    if (policy === null) return null;
    const known = answers.get(candidate);
    if (known !== undefined) return known;
    const { name, transport, command, args, program, url } = candidate;
    const config = {
      type: transport === "stdio" ? "stdio" : "streamable_http",
      ...(command === null ? {} : { command, args }),
      ...(url === null ? {} : { url }),
    } as const;
    const subject = subjectOf(name, config, program);
    const reason = policyReason(policy, subject, programLooks(this.#machine));
    answers.set(candidate, reason);
    return reason;
  }

  /** The policy as it is now. */
  #current(): ReadPolicy {
    const folder = dirname(this.#place.path);
    // Asked before each call, and many times cheaper than a look at a file that is not there.
    if (this.#read?.isFolderAbsent === true && !existsSync(folder)) return this.#read;
    const found = factsOf(this.#place.path);
    const sign = found === null ? null : signOf(found);
    // What cannot be told may be hindered in a new way, so it is always looked into.
    if (sign !== null && this.#read?.sign === sign && !this.#read.isRacy) return this.#read;
    const reading = readPolicy(this.#place);
    const read: ReadPolicy = {
      sign: sign ?? "",
      isRacy: found !== null && found.ctimeMs > this.#now() - RACY_MS,
      isFolderAbsent: found === null && !existsSync(folder),
      policy: reading,
      answers: new WeakMap(),
    };
    void reading.then((policy) => read.policy = policy);
    this.#read = read;
    return read;
  }
}

async function readPolicy(place: PolicyPlace): Promise<Policy | null> {
  const file = await readPolicyFile(place, readTextFile);
  return file.state === "absent" ? null : (await policyOf(file)).policy;
}

/** A text that changes when a file does. */
function signOf({ dev, ino, mode, uid, gid, size, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, mode, uid, gid, size, mtimeMs, ctimeMs].join(":");
}
