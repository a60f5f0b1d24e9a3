/**
 * Writes the pages of docs/reference that are made from the code: the settings, and the metrics of a server that has
 * just started.
 *   npx tsx hack/reference.ts [--check]        `--check` writes nothing, and exits with 1 if a page is old
 */
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { databaseMetrics } from '../cmd/apiserver/database-metrics.js';
import { environmentName, KNOWN_SETTINGS, type KnownSetting } from '../pkg/config/known.js';
import { createMetrics } from '../pkg/http/metrics/metrics.js';
import { SIGN_ON_PROVIDERS } from '../pkg/identity/signon/keys.js';
import { keysOf, SIGN_ON_KEYS, snakeCase } from '../pkg/identity/signon/values.js';
import { DatabaseMonitor } from '../storage/mongodb/connection/monitor.js';
import { build, startBuilt } from './bench/server.js';
import { cell, table } from './markdown-table.js';

const isChecked = process.argv.includes('--check');
const MADE = '<!-- Made by hack/reference.ts from the code. Change it there. -->';
const pages = { 'docs/reference/settings.md': settings(), 'docs/reference/metrics.md': await metrics() };
for (const [path, text] of Object.entries(pages)) {
  const old = await readFile(path, 'utf8').catch(() => '');
  if (old === text) continue;
  if (!isChecked) await writeFile(path, text);
  process.stdout.write(`${path} ${isChecked ? 'is old: run `npx tsx hack/reference.ts`' : 'is written'}\n`);
  if (isChecked) process.exitCode = 1;
}

function settings(): string {
  const sections = new Map<string, KnownSetting[]>();
  for (const setting of KNOWN_SETTINGS) {
    const section = setting.key.slice(0, setting.key.lastIndexOf('.'));
    sections.set(section, [...(sections.get(section) ?? []), setting]);
  }
  const tables = [...sections].map(([section, rows]) => `## ${section}\n\n${settingsTable(rows)}`);
  return `# Settings

${MADE}

With this page you find the name, the default and the meaning of a setting, in a minute.

A setting can be an argument (\`--server.http_port=8080\`), an environment variable (\`${environmentName('server.http_port')}=8080\`), or a line of the INI file that
\`--config\` names (\`http_port = 8080\` in the section \`[server]\`). An argument overrides the environment, and the environment overrides the file. A name that ends
with \`__FILE\` reads the value from a file. \`dashboard-apiserver --help=all\` prints the same list.

${tables.join('\n\n')}

## auth.<provider>

Settings of a sign-on provider: ${SIGN_ON_PROVIDERS.map((name) => `\`${name}\``).join(', ')}. What is stored by \`/api/v1/sso-settings\` or as an SSOSetting overrides them.

${table(['setting', 'what it does'], providerRows())}
`;
}

function settingsTable(rows: readonly KnownSetting[]): string {
  return table(
    ['setting', 'default', 'what it does'],
    rows.map(({ key, fallback, otherwise, description }) => [
      `\`${key}\``,
      defaultOf(fallback, otherwise),
      cell(description),
    ]),
  );
}

function defaultOf(fallback: string | undefined, otherwise: string | undefined): string {
  if (fallback === undefined) return cell(otherwise ?? 'none');
  return fallback === '' ? 'empty' : `\`${fallback}\``;
}

function providerRows(): readonly (readonly string[])[] {
  const rows = SIGN_ON_PROVIDERS.flatMap(keysOf).map((key) => [snakeCase(key), SIGN_ON_KEYS[key].description] as const);
  return [...new Map(rows)].map(([name, description]) => [`\`${name}\``, cell(description)]);
}

/**
 * What a server describes, in the order of names. Those of Node and of the process are the same in all programs with
 * prom-client.
 */
async function metrics(): Promise<string> {
  const root = resolve('.');
  if (process.env['BUILT'] !== 'true') await build(root);
  const server = await startBuilt({ root });
  try {
    const answer = await fetch(new URL('/metrics', server.http), {
      headers: { authorization: `Bearer ${server.token}` },
    });
    return metricsPage(`${await answer.text()}\n${await onMongodb()}`);
  } finally {
    await server.stop();
  }
}

/** Those that only servers on MongoDB have. */
async function onMongodb(): Promise<string> {
  const metrics = createMetrics();
  databaseMetrics(metrics, new DatabaseMonitor(), { revision: 0 });
  return metrics.registry.metrics();
}

function metricsPage(text: string): string {
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const described = new Map(
    [...text.matchAll(/^# HELP (\S+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]),
  );
  const rows = [...described]
    .filter(([name]) => !/^(nodejs|process)_/.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, help]) => [`\`${name}\``, types.get(name) ?? '', cell(help)]);
  return `# Metrics

${MADE}

With this page you find what a metric counts, in a minute.

\`GET /metrics\` answers these in the text format of Prometheus, and those of Node and of the process (\`nodejs_…\`, \`process_…\`). [Operating](../operating.md#metrics-and-alerts)
says who may read them, and which alerts there are.

${table(['metric', 'type', 'what it counts'], rows)}
`;
}
