/**
 * Measures `adminctl import --from` between two servers of this checkout: the time of the first run and of a second one
 * that finds nothing to do, and the memory and processor time of the command and of the server that is filled.
 *   npx tsx hack/bench/import.ts [dashboards] [bytes of each]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { call } from './call.js';
import { cpuMs } from './cpu.js';
import { memoryOf } from './memory.js';
import { build, startBuilt } from './server.js';

const [count = 10_000, bytes = 10_000] = process.argv.slice(2).map(Number);
const root = process.cwd();

if (process.env['BUILT'] !== 'true') await build(root);
const there = await startBuilt({ root, args: ['--legacy.compatibility=clients'] });
const here = await startBuilt({ root });
try {
  await fill();
  await run('the first run');
  await run('the second run');
  console.log(`the server here: ${memoryOf(here.child.pid).peak} MiB at most`);
} finally {
  await here.stop();
  await there.stop();
}

async function fill(): Promise<void> {
  const panels = [{ id: 1, type: 'text', options: { content: 'x'.repeat(bytes) } }];
  const limit = pLimit(32);
  const folders = Math.ceil(count / 100);
  for (let i = 0; i < folders; i++) await call(there, 'POST', '/api/folders', { uid: `f${i}`, title: `F${i}` });
  const dashboard = (i: number) =>
    call(there, 'POST', '/api/dashboards/db', {
      dashboard: { uid: `d${i}`, title: `D${i}`, panels },
      folderUid: `f${i % folders}`,
    });
  await Promise.all(Array.from({ length: count }, (_, i) => limit(() => dashboard(i))));
}

async function run(name: string): Promise<void> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [join(root, 'dist', 'cmd', 'adminctl', 'main.js'), 'import', `--from=${there.http.origin}`],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        IMPORT_TOKEN: there.token,
        KUBECONFIG: join(dirname(dirname(here.caFile)), 'kubeconfig'),
      },
    },
  );
  let most = 0;
  let cpu = 0;
  const watch = setInterval(() => {
    if (child.exitCode !== null || child.pid === undefined) return;
    most = Math.max(most, memoryOf(child.pid).peak);
    cpu = Math.round(cpuMs(child.pid) / 1000);
  }, 200);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `${name}: ${count} dashboards of ${bytes} bytes in ${seconds} s (exit ${code}), ${cpu} s of CPU, ${most} MiB`,
  );
}
