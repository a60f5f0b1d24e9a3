import { customKinds } from '../../../apis/apiextensions/index.js';
import { kinds as allKinds } from '../../../apis/kinds.js';
import type { Settings } from '../../../pkg/config/schema.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { printableLines } from '../../../pkg/system/text/printable.js';
import type { Finding } from '../../../registry/check/finding.js';
import { ObjectCheck } from '../../../registry/check/objects.js';
import type { Kind } from '../../../registry/kinds/kind.js';
import type { KindSource } from '../../../registry/kinds/kind-set.js';
import { resourceDefinitions } from '../../../registry/kinds/registry.js';
import { decodeObject } from '../../../storage/state/codec.js';
import { Definitions } from '../../../storage/state/definitions.js';
import { LocalFiles } from '../../../storage/tables/index.js';
import type { Snapshot } from '../../../storage/transfer/snapshot.js';
import { objectsFolder } from '../../apiserver/data-folder.js';
import { environmentOf } from '../../apiserver/environment.js';
import { progressBar, type Terminal } from '../terminal.js';
import { nameOf, placeOf } from './place.js';
import { openSnapshot } from './stores.js';

export interface CheckCommand {
  readonly settings: Settings;
}

const MADE_AGAIN = 'A server makes the files again from the store; check the disk';
const DIFFERS =
  'the store has other bytes than the local file of this server, which has a checksum: the store is damaged';

/** Findings of one area that are printed. */
const SHOWN = 20;

/** Checks the store at one revision, also while servers run. Prints what is wrong, and returns the exit code. */
export async function check({ settings }: CheckCommand, terminal: Terminal): Promise<number> {
  const place = placeOf(settings);
  const snapshot = await openSnapshot(place);
  try {
    const findings = new Findings(terminal);
    const { objects } = await checkAll(snapshot, settings, (finding) => findings.add(finding), terminal);
    terminal.out.write(
      `${objects} objects of ${nameOf(place)} at revision ${snapshot.head.end}: ${findings.summary()}\n`,
    );
    return findings.problems === 0 ? 0 : 1;
  } finally {
    await snapshot.close();
  }
}

async function checkAll(
  snapshot: Snapshot,
  settings: Settings,
  onFinding: (finding: Finding) => void,
  terminal: Terminal,
): Promise<{ readonly objects: number }> {
  const environment = environmentOf(settings);
  const fixed = allKinds(environment);
  const defined = await definedKinds(snapshot, customKinds(environment, fixed));
  const kinds = [...fixed, ...defined];
  const checking = new ObjectCheck(kinds, snapshot.head);
  const files = new LocalFiles(objectsFolder(settings), new Definitions(resourceDefinitions(kinds)));
  for await (const problem of files.problems()) onFinding({ area: 'file', message: `${problem}. ${MADE_AGAIN}` });
  const bar = progressBar(terminal, 'check');
  let objects = 0;
  try {
    for await (const chunk of snapshot.objects()) {
      for (const held of chunk) {
        for (const finding of checking.object(held)) onFinding(finding);
        if (files.differs(held)) onFinding({ area: 'bytes', key: held.key, message: DIFFERS });
      }
      objects += chunk.length;
      bar.update(objects, Math.max(objects, snapshot.size));
    }
    for (const finding of checking.end()) onFinding(finding);
  } finally {
    bar.stop();
  }
  return { objects };
}

/** The kinds that the definitions of the store define. Their objects may come before them. */
async function definedKinds(snapshot: Snapshot, { resource, kindsOf }: KindSource): Promise<readonly Kind[]> {
  const kinds: Kind[] = [];
  for await (const chunk of snapshot.objects()) {
    for (const { key, value } of chunk) {
      if (key >= `${resource}0`) return kinds;
      if (key.startsWith(`${resource}/`)) kinds.push(...kindsOf(decodeObject(value) as KubeObject));
    }
  }
  return kinds;
}

class Findings {
  readonly #terminal: Terminal;
  readonly #counts = new Map<string, number>();
  #notes = 0;
  problems = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  add({ area, key, message, isNote = false }: Finding): void {
    const count = (this.#counts.get(area) ?? 0) + 1;
    this.#counts.set(area, count);
    if (isNote) this.#notes++;
    else this.problems++;
    const what = key === undefined ? message : `${key}: ${message}`;
    if (count <= SHOWN) this.#terminal.out.write(`${isNote ? 'note' : area}: ${printableLines(what)}\n`);
    else if (count === SHOWN + 1) this.#terminal.out.write(`${area}: and more\n`);
  }

  summary(): string {
    const notes = this.#notes === 0 ? '' : `, ${this.#notes} notes`;
    if (this.problems === 0) return `nothing is wrong${notes}.`;
    return `${this.problems} problems${notes}.`;
  }
}
