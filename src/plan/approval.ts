import type { Definition } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import { shownName } from "../model/remedies.ts";
import type { WorkspaceTrust } from "./trust_store.ts";

/**
 * Who says what may run.
 * - `store`: what this user approved with `mcp trust`, read from the state folder
 * - `all`: everything is approved
 * - a function: asked for each definition that needs an approval; the store is not read then
 */
export type TrustMode = "all" | "store" | ((definition: Definition) => boolean);

/**
 * Whether a definition was approved.
 * - `not-needed`: the user's own, or a manager's
 * - `approved`: exactly as it is now
 * - `never`: nothing of this name was approved here
 * - `changed`: something else of this name was
 * - `unbound`: it reads an `envFile`, or a file that a placeholder names, whose path depends on an
 *   environment variable or on another file, so that no approval could hold on to what it says
 */
export type Approval = "not-needed" | "approved" | "never" | "changed" | "unbound";

/** What a decision about one definition is made from. */
export interface ApprovalFacts {
  /** Who decides. */
  readonly mode: TrustMode;
  /** What this user approved in this workspace. */
  readonly trust: WorkspaceTrust;
  /** Digest of the definition and the files that it takes values from; `null` when none could be made. */
  readonly digest: string | null;
}

/** The same mode, whose function is asked only once about each definition. */
export function askedOnce(mode: TrustMode): TrustMode {
  if (typeof mode === "string") return mode;
  const answers = new Map<Definition, boolean>();
  return (definition) => {
    const known = answers.get(definition);
    if (known !== undefined) return known;
    const answer = mode(definition);
    answers.set(definition, answer);
    return answer;
  };
}

/** Tells whether a definition comes with the repository, so that it needs an approval. */
export function needsApproval(definition: Definition): boolean {
  return definition.source.scope === "project";
}

/** Whether a definition is approved as it is. */
export function approvalOf(definition: Definition, facts: ApprovalFacts): Approval {
  const { mode, trust, digest } = facts;
  if (!needsApproval(definition)) return "not-needed";
  if (mode === "all") return "approved";
  if (mode !== "store") return mode(definition) ? "approved" : "never";
  if (digest === null) return "unbound";
  const approved = Object.hasOwn(trust.definitions, definition.name)
    ? trust.definitions[definition.name] ?? []
    : [];
  if (approved.includes(digest)) return "approved";
  return approved.length > 0 ? "changed" : "never";
}

/** Whether this user enabled the name of a store's definition here, as against the repository. */
export function enablingApproved(
  definition: Definition,
  facts: Omit<ApprovalFacts, "digest">,
): boolean {
  const { mode, trust } = facts;
  if (mode === "all") return true;
  return mode === "store" ? trust.enabled.includes(definition.name) : mode(definition);
}

/**
 * Whether the workspace may be a working folder: it was approved itself, or any definition of it
 * was. `approvals` are those of all definitions.
 */
export function folderApproved(
  facts: Omit<ApprovalFacts, "digest">,
  approvals: Iterable<Approval>,
): boolean {
  const { mode, trust } = facts;
  if (mode === "all") return true;
  if (mode === "store" && (trust.folder || Object.keys(trust.definitions).length > 0)) return true;
  for (const approval of approvals) if (approval === "approved") return true;
  return false;
}

/** Why a definition waits for its approval; `null` when it does not. */
export function approvalReason(definition: Definition, approval: Approval): ErrorInfo | null {
  if (approval === "not-needed" || approval === "approved") return null;
  const code = "server-not-runnable";
  const hint = `Look at it and approve it: mcp trust ${shownName(definition.name)}`;
  const { label } = definition.source;
  if (approval === "changed") {
    const message = `This definition changed since you approved it (${label})`;
    return { code, message, hint };
  }
  if (approval === "unbound") {
    return {
      code,
      message:
        "Cannot be approved: the path of a file that it reads depends on a variable or another file",
      hint: "Write the path relative to the file, or with a folder variable",
    };
  }
  return {
    code,
    message: `The repository declares it and you did not approve it (${label})`,
    hint,
  };
}
