import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { load } from 'js-yaml';
import { ROOT } from '../e2e/process.js';

const FOLDER = join(ROOT, 'hack', 'deploy', 'monitoring');

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

/** The PromQL expressions of the alert rules and of the dashboard. */
export async function expressions(): Promise<readonly string[]> {
  const rules = load(await readFile(join(FOLDER, 'alerts.yaml'), 'utf8')) as Rules;
  const dashboard = JSON.parse(await readFile(join(FOLDER, 'dashboard.json'), 'utf8')) as Dashboard;
  return [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
}

/** The metrics that an expression reads, without the suffixes of histograms. */
export function metricsIn(expression: string): readonly string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter: ({ name, node, from, to }) => {
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') names.push(expression.slice(from, to));
    },
  });
  return names.map((name) => name.replace(/_(bucket|sum|count)$/, ''));
}
