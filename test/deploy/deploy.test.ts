import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parser } from '@prometheus-io/lezer-promql';
import { expect } from 'chai';
import { validate } from 'dockerfile-utils';
import { loadAll } from 'js-yaml';
import { KNOWN_SETTINGS } from '../../pkg/config/known.js';
import { ROOT } from '../e2e/process.js';
import { expressions } from './monitoring.js';

/** Seconds that a server takes to stop after its delay (docs/operating.md). */
const STOPS_WITHIN = 18;
const DEPLOY = join(ROOT, 'hack', 'deploy');
const read = (...path: string[]): Promise<string> => readFile(join(DEPLOY, ...path), 'utf8');

describe('The files in hack/deploy', () => {
  it('contain expressions that Prometheus can parse', async () => {
    const all = await expressions();
    expect(all.length).to.be.greaterThan(15);
    const wrong = all.filter((expression) => hasErrors(expression));
    expect(wrong).to.deep.equal([]);
    expect(hasErrors('sum(rate(a[5m])')).to.equal(true);
  });

  it('do not ask Prometheus to scrape without the credentials that /metrics needs', async () => {
    const folder = join(DEPLOY, 'kubernetes');
    const names = await readdir(folder);
    expect(names).to.include('embedded.yaml');
    for (const name of names) expect(await read('kubernetes', name), name).to.not.contain('prometheus.io/');
  });

  it('name settings that exist', async () => {
    const known = new Set(KNOWN_SETTINGS.map(({ key }) => key));
    const folder = join(DEPLOY, 'kubernetes');
    const manifests = await Promise.all((await readdir(folder)).map((name) => read('kubernetes', name)));
    const unit = await read('dashboard-apiserver.service');
    const named = [...manifests, unit].flatMap((text) =>
      [...text.matchAll(/--(\w+\.\w+?)(?:__FILE)?=/g)].map(([, key]) => key),
    );
    expect(named).to.include.members(['security.admin_password', 'server.cert_names']);
    expect(named.filter((key) => !known.has(key ?? ''))).to.deep.equal([]);
  });

  it('let load balancers see that a server stops, and give it the time for that', async () => {
    interface Manifest {
      readonly spec: {
        readonly replicas?: number;
        readonly template?: {
          readonly spec: {
            readonly terminationGracePeriodSeconds: number;
            readonly containers: readonly {
              readonly args: readonly string[];
              readonly readinessProbe: { readonly periodSeconds: number; readonly failureThreshold: number };
            }[];
          };
        };
      };
    }
    let several = 0;
    for (const name of await readdir(join(DEPLOY, 'kubernetes'))) {
      for (const { spec } of loadAll(await read('kubernetes', name)) as Manifest[]) {
        const { replicas = 1, template } = spec;
        if (template === undefined) continue;
        const [{ args, readinessProbe } = { args: [], readinessProbe: undefined }] = template.spec.containers;
        const given = args.map((arg) => /^--server\.shutdown_delay=(\d+)s$/.exec(arg)?.[1]).find(Boolean);
        const delay = Number(given ?? 0);
        expect(template.spec.terminationGracePeriodSeconds, name).to.be.greaterThan(delay + STOPS_WITHIN);
        if (replicas === 1) continue;
        several++;
        const { periodSeconds = 0, failureThreshold = 0 } = readinessProbe ?? {};
        expect(delay, name).to.be.greaterThan(periodSeconds * failureThreshold);
      }
    }
    expect(several).to.equal(1);
    const [, stop] = /^TimeoutStopSec=(\d+)$/m.exec(await read('dashboard-apiserver.service')) ?? [];
    expect(Number(stop)).to.be.greaterThan(STOPS_WITHIN);
  });

  it('contain a container file without problems', async () => {
    expect(validate(await read('Containerfile'))).to.deep.equal([]);
    expect(validate('FROM node\nCOPYY a b\n')).to.have.length(1);
  });

  it('contain a systemd unit that systemd accepts', async function checked() {
    const unit = join(DEPLOY, 'dashboard-apiserver.service');
    const run = promisify(execFile)('systemd-analyze', ['verify', '--man=no', unit]);
    const result = await run.catch((error: NodeJS.ErrnoException) => error);
    if ('code' in result && result.code === 'ENOENT') return this.skip();
    // The unit names paths that only an installation has.
    const { stderr = '' } = result as { readonly stderr?: string };
    const problems = stderr.split('\n').filter((line) => line !== '' && !/not executable|No such file/.test(line));
    expect(problems).to.deep.equal([]);
  });
});

/** Whether the parser marked an error. It does not stop at errors. */
function hasErrors(expression: string): boolean {
  let found = false;
  // Grafana replaces its variables before it sends an expression.
  parser.parse(expression.replaceAll('$__rate_interval', '5m')).iterate({
    enter: ({ type }) => {
      found ||= type.isError;
    },
  });
  return found;
}
