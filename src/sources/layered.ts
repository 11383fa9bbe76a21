import { validateServerConfig } from "../definitions/validate.ts";
import type { Definition, OffSwitch, ServerConfig } from "../model/definition.ts";
import type { ErrorInfo } from "../model/errors.ts";
import type { SourceInfo } from "../model/source.ts";
import { switchedOff } from "./server_entry.ts";
import type { SourceReading } from "./source.ts";

/**
 * A reading of a host that merges its files: an entry with neither command nor url changes the
 * next weaker entry of its name, and stands where the change stands, so that what a repository
 * changes needs the approval of the repository's. One that changes nothing is a warning. What a
 * weaker entry switches off stays off, unless a stronger one of its name switches it on.
 */
export function layered(reading: SourceReading): SourceReading {
  const lone: Definition[] = [];
  const definitions: Definition[] = [];
  const switches = new Map<string, Definition>();
  // The weakest first, so that a change of a change finds what it changes.
  for (const definition of reading.definitions.toReversed()) {
    const { name, config } = definition;
    const changed = isChange(definition)
      ? definitions.findLast((weaker) => weaker.name === name)
      : undefined;
    const isLone = isChange(definition) && changed === undefined &&
      // What could not be read may have been a command or a url.
      ownProblems(definition).length === 0;
    if (isLone) lone.push(definition);
    else {
      const whole = changed === undefined ? definition : merged(definition, changed);
      definitions.push(afterSwitch(whole, switches.get(name)));
    }
    if (config.enabled !== undefined) switches.set(name, definition);
  }
  return {
    ...reading,
    definitions: definitions.toReversed(),
    reports: reading.reports.map((report) => {
      const own = lone.filter(({ source }) => source.path === report.path).toReversed();
      if (own.length === 0) return report;
      const warnings = own
        .filter(({ name, config }) =>
          config.enabled !== false || definitions.every((other) => other.name !== name)
        )
        .map(({ name }) =>
          `"${name}" holds neither a command nor a url and changes no other entry; it is ignored`
        );
      return {
        ...report,
        servers: report.servers - own.length,
        warnings: [...report.warnings, ...warnings],
      };
    }),
  };
}

/** A definition after the next weaker entry of its name that is a switch. */
function afterSwitch(definition: Definition, weaker: Definition | undefined): Definition {
  const isOff = definition.config.enabled === undefined && weaker?.config.enabled === false;
  return isOff ? switchedOff(definition, offBy(weaker.source)) : definition;
}

/** What another entry of a name does to it. */
function offBy({ path, scope, keyPath }: SourceInfo): OffSwitch {
  const off = { list: null, path: path ?? "", remedy: `Switch it on in "${path ?? ""}"` };
  if (keyPath === undefined || scope === "managed") return off;
  return { ...off, undo: { kind: "entry", scope, keyPath } };
}

/** Whether an entry says nothing about what to start or reach. */
function isChange({ config }: Definition): boolean {
  return config.command === undefined && config.url === undefined && config.type === undefined;
}

/** A weaker definition with a change. */
function merged(change: Definition, weaker: Definition): Definition {
  const { name, source, warnings } = change;
  const config: ServerConfig = { ...weaker.config, ...change.config };
  const env = { ...weaker.config.env, ...change.config.env };
  const headers = { ...weaker.config.headers, ...change.config.headers };
  const whole: ServerConfig = {
    ...config,
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
  const off = whole.enabled === false ? weaker.switchedOffBy : undefined;
  return {
    name,
    config: whole,
    source,
    ...(off === undefined ? {} : { switchedOffBy: off }),
    problems: [
      ...weaker.problems,
      ...ownProblems(change),
      ...validateServerConfig(name, whole),
    ],
    warnings: [...weaker.warnings, ...warnings],
  };
}

/** The problems of an entry but that it says nothing about what to start or reach. */
function ownProblems({ name, problems }: Definition): readonly ErrorInfo[] {
  const [incomplete] = validateServerConfig(name, {});
  return problems.filter(({ message }) => !message.startsWith(incomplete?.message ?? ""));
}
