import { readFileSync } from 'node:fs';
import { dashboardsIn, type SavedDashboard, uidOf } from '../../../pkg/dashboards/model.js';
import { decodeJson } from '../../../pkg/kube/json/decode.js';
import { toYaml } from '../../../pkg/kube/json/to-yaml.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { printable } from '../../../pkg/system/text/printable.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import type { Terminal } from '../terminal.js';
import { contentWith, elementsOf, withoutExport } from '../tree/dashboards.js';
import { elementSpec } from '../tree/specs.js';
import type { Writable } from './exported.js';
import type { ImportOptions } from './import-options.js';

type Options = Pick<ImportOptions, 'files' | 'folder' | 'domain' | 'inputs'>;

/** A dashboard, and where it is from: `all.json, item 2`. */
type Found = SavedDashboard & { readonly origin: string };

/** A file has many dashboards at most. */
const LIMITS = { depth: 100, values: 10_000_000 };

/**
 * Prints the manifests of dashboards in JSON files. Prints nothing if one of them is wrong. Throws errors for people.
 */
export function importFrom(options: Options, terminal: Terminal): void {
  terminal.out.write(objectsIn(options, terminal).map(toYaml).join('---\n'));
}

/** The dashboards in JSON files, and the library elements that come along with them, as objects. */
export function objectsIn(options: Options, { err }: Terminal): readonly Writable[] {
  const dashboards = options.files.flatMap(foundIn);
  const names = dashboards.map(nameOf);
  refuseTwice(dashboards, names);
  const objects = dashboards.map((dashboard, i) => objectsOf(dashboard, names[i] ?? '', options, err));
  const elements = new Map(objects.flatMap(([, ...along]) => along.map((element) => [element.metadata.name, element])));
  return [...elements.values(), ...objects.flatMap(([dashboard]) => dashboard ?? [])];
}

function foundIn(file: string): readonly Found[] {
  const value = valueIn(file);
  return dashboardsIn(value).map((found, i, all) => {
    const origin = all.length > 1 || Array.isArray(value) ? `${file}, item ${i + 1}` : file;
    if (found !== undefined) return { ...found, origin };
    throw new Error(
      `${origin}: this is no dashboard: it has no title. Give the JSON of a dashboard, or a list of them.`,
    );
  });
}

function valueIn(file: string): unknown {
  try {
    return decodeJson(readFileSync(file), LIMITS).value;
  } catch (cause) {
    throw new Error(`${file}: ${messageOf(cause).replace(/^the body/, 'the text')}`, { cause });
  }
}

/** The uid, or a name made from the title if there is none. */
function nameOf({ dashboard, origin }: Found): string {
  const name =
    uidOf(dashboard) ||
    dashboard.title
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-')
      .slice(0, UID_NAMES.maxLength) ||
    '';
  if (name.length <= UID_NAMES.maxLength && UID_NAMES.pattern.test(name)) return name;
  const rule = `It has at most ${UID_NAMES.maxLength} characters, and ${UID_NAMES.patternMessage}`;
  throw new Error(`${origin}: no name can be made of the uid or the title. ${rule}. Set the uid in the file.`);
}

function refuseTwice(dashboards: readonly Found[], names: readonly string[]): void {
  for (const [i, name] of names.entries()) {
    const first = names.indexOf(name);
    if (first === i) continue;
    throw new Error(
      `${dashboards[first]?.origin} and ${dashboards[i]?.origin} have the same name ${name}. Set another uid.`,
    );
  }
}

/** The dashboard, and the library elements in its export. */
function objectsOf(found: Found, name: string, options: Options, err: Terminal['err']): readonly Writable[] {
  const { dashboard, folder: named, origin } = found;
  const { spec, open } = contentWith(dashboard, options.inputs);
  if (open.length > 0)
    err.write(`Warning: ${printable(origin)} has __inputs. Replace its placeholders, such as \${${open[0]}}.\n`);
  const folder = options.folder ?? named;
  const annotations = folder ? { annotations: { [`${options.domain}/folder`]: folder } } : {};
  const apiVersion = `dashboard.${options.domain}/v1beta1`;
  const object = (kind: string, uid: string, content: object): Writable => ({
    apiVersion,
    kind,
    metadata: { name: uid, ...annotations },
    spec: content,
  });
  const elements = elementsOf(spec, origin, {}).map((one) => object('LibraryElement', one.uid, elementSpec(one)));
  return [object('Dashboard', name, withoutExport(spec)), ...elements];
}
