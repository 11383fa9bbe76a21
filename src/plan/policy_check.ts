import type { ErrorInfo } from "../model/errors.ts";
import { commandAllowed, commandDenied, type ProgramLooks } from "./policy_command.ts";
import type { Policy, PolicyRule } from "./policy_rules.ts";
import { urlAllowed, urlDenied } from "./policy_url.ts";
import { looselyMatches, wildcardMatches } from "./policy_wildcard.ts";

/** A server as a policy sees it. */
export interface PolicySubject {
  /** Its name. */
  readonly name: string;
  /** How it would be reached. */
  readonly transport: "stdio" | "remote";
  /** Its address; `null` when it has none. */
  readonly url: string | null;
  /** Its program and arguments; `null` when it has none. */
  readonly argv: readonly string[] | null;
  /** Absolute path of the program that would start; `null` when none was found or looked for. */
  readonly program: string | null;
  /**
   * Whether placeholders in address or command line are yet to be replaced. Rules about those are
   * then left undecided: they neither deny nor keep from being allowed.
   */
  readonly isOpen: boolean;
}

/** What to do about a blocked server. */
const HINT = "Ask whoever manages this machine";

/**
 * Why a policy blocks a server; `null` when it does not. What is denied is blocked whatever is
 * allowed; when a policy says what is allowed, all else is blocked.
 *
 * @param looks `null` when no program was looked for: then names alone decide.
 */
export function policyReason(
  policy: Policy,
  subject: PolicySubject,
  looks: ProgramLooks | null,
): ErrorInfo | null {
  const code = "blocked-by-policy";
  if (policy.state === "unusable") {
    return {
      code,
      message: `Blocked, as a policy cannot be used: ${policy.error.message}`,
      hint: policy.error.hint ?? HINT,
    };
  }
  const { path, allowed, denied, allowedKey } = policy;
  const rule = denied.find((rule) => denies(rule, subject, looks));
  if (rule !== undefined) {
    const message = `Blocked by the policy "${path}": ${rule.place}: ${rule.says}`;
    return { code, message, hint: HINT };
  }
  if (allowed === null || allowed.some((rule) => allows(rule, subject, looks))) return null;
  const message = `Blocked by the policy "${path}": no rule of "${allowedKey}" matches`;
  return { code, message, hint: HINT };
}

/** Whether a rule of `deniedServers` fits. Bridges to a remote server have it as an argument. */
function denies(rule: PolicyRule, subject: PolicySubject, looks: ProgramLooks | null): boolean {
  const { name, url, command } = rule;
  const { argv, program, isOpen } = subject;
  if (name !== null && !looselyMatches(name, subject.name)) return false;
  if (url !== null) {
    return !isOpen && addressesOf(subject).some((address) => urlDenied(url, address));
  }
  if (command === null) return true;
  return !isOpen && argv !== null && commandDenied(command, { argv, program }, looks);
}

/** Whether a rule of `allowedServers` fits. A name alone fits nothing: anybody can give it. */
function allows(rule: PolicyRule, subject: PolicySubject, looks: ProgramLooks | null): boolean {
  const { name, url, command } = rule;
  const { transport, argv, program, isOpen } = subject;
  if (name !== null && !wildcardMatches(name, subject.name)) return false;
  if (transport === "remote") {
    return url !== null && subject.url !== null && (isOpen || urlAllowed(url, subject.url));
  }
  return command !== null && argv !== null &&
    (isOpen || commandAllowed(command, { argv, program }, looks));
}

/** The address of a server, and the addresses among its arguments. */
function addressesOf({ url, argv }: PolicySubject): readonly string[] {
  const named = (argv ?? []).flatMap((word) => {
    const start = word.search(/[a-z][a-z\d+.-]*:\/\//i);
    return start < 0 ? [] : [word.slice(start)];
  });
  return url === null ? named : [url, ...named];
}
