import { validateServerConfig } from "../definitions/validate.ts";
import type { Definition, ServerConfig } from "../model/definition.ts";
import type { SourceReading } from "./source.ts";

/**
 * A reading of a host that merges its files: an entry with neither command nor url changes the
 * next weaker entry of its name, and stands where the change stands, so that what a repository
 * changes needs the approval of the repository's. One that changes nothing is a warning.
 */
export function layered(reading: SourceReading): SourceReading {
  const ignored: Definition[] = [];
  const definitions: Definition[] = [];
  // The weakest first, so that a change of a change finds what it changes.
  for (const definition of reading.definitions.toReversed()) {
    if (!isChange(definition)) {
      definitions.push(definition);
      continue;
    }
    const changed = definitions.findLast(({ name }) => name === definition.name);
    if (changed === undefined) ignored.push(definition);
    else definitions.push(merged(definition, changed));
  }
  return {
    ...reading,
    definitions: definitions.toReversed(),
    reports: reading.reports.map((report) => {
      const own = ignored.filter(({ source }) => source.path === report.path).toReversed();
      if (own.length === 0) return report;
      const warnings = own.map(({ name }) =>
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
  const [incomplete] = validateServerConfig(name, {});
  const own = change.problems.filter(({ message }) =>
    !message.startsWith(incomplete?.message ?? "")
  );
  return {
    name,
    config: whole,
    source,
    problems: [...weaker.problems, ...own, ...validateServerConfig(name, whole)],
    warnings: [...weaker.warnings, ...warnings],
  };
}
