import { argumentSecrets } from "../definitions/secret_arguments.ts";
import { type Finding, placeOfDefinition } from "./finding.ts";
import { fetchedPackage } from "./package_words.ts";
import { isActive, type Subject } from "./subject.ts";

/** Versions that mean whatever was published last. */
const MOVING: ReadonlySet<string> = new Set([
  "latest",
  "next",
  "beta",
  "alpha",
  "canary",
  "nightly",
  "edge",
  "main",
  "master",
  "dev",
]);

/** Whether a version means one thing today and another tomorrow: a tag, or a range. */
function isMoving(version: string): boolean {
  return MOVING.has(version.toLowerCase()) || /^[~^<>*x]|\|\||\s-\s/i.test(version);
}

/**
 * Packages and images that are fetched without a version: whoever publishes the next one decides
 * what runs here, and the tools may change overnight. Nothing is asked of a registry. Pure.
 */
export function unpinnedFindings(subject: Subject): readonly Finding[] {
  const { definition } = subject;
  const { command, args = [] } = definition.config;
  if (command === undefined || !isActive(subject)) return [];
  const found = fetchedPackage(command, args);
  if (found === null) return [];
  const { name, version, pinned } = found;
  if (version !== null && !isMoving(version)) return [];
  // Behind an option that is not known here a word may be anything.
  if (argumentSecrets(args).some((secret) => secret.includes(name))) return [];
  return [{
    check: "unpinned",
    severity: "info",
    ...placeOfDefinition(definition),
    message: version === null
      ? `"${name}" is fetched without a version: what runs may change with every start`
      : `"${name}" is fetched as "${version}": what runs may change with every start`,
    remedy: `Write the version that you know: "${pinned}"`,
  }];
}
