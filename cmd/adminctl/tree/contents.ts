import { member } from '../../../pkg/dashboards/model.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import { type Found, leftOut } from './found.js';
import { grizzlyIn, isGrizzly } from './grizzly.js';
import * as legacy from './legacy.js';
import { MANIFEST, UNKNOWN } from './reasons.js';
import { text } from './values.js';

/** What a value is, by its members alone: that of an export, of an answer, or of a resource. */
export function foundIn(value: unknown, source: legacy.Source): readonly Found[] {
  const { origin, place } = source;
  const items = itemsOf(value);
  if (items !== undefined)
    return items.flatMap((item, i) => foundIn(item, { origin: `${origin}, item ${i + 1}`, place }));
  if (value === null || value === undefined) return [];
  if (isGrizzly(value)) return grizzlyIn(value, origin);
  if (isResource(value)) return [resourceIn(value, { origin, place: {} })];
  // A newer gdg wraps what it reads.
  if (isResource(member(value, 'resource'))) return [resourceIn(member(value, 'resource'), source)];
  if (isObject(member(value, 'Entity'))) return foundIn(member(value, 'Entity'), source);
  if (legacy.isElement(value)) return [legacy.elementIn(value, source)];
  if (legacy.isGroup(value)) return legacy.rulesOfGroup(value, origin);
  if (legacy.isRule(value)) return [legacy.ruleIn(value, source)];
  if (legacy.isFolder(value)) return [legacy.folderIn(value, origin)];
  return [legacy.dashboardIn(value, source) ?? leftOut(origin, UNKNOWN)];
}

function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const items = member(value, 'items');
  return text(value, 'kind').endsWith('List') && Array.isArray(items) ? items : undefined;
}

function isResource(value: unknown): boolean {
  return text(value, 'apiVersion') !== '' && text(value, 'kind') !== '' && isObject(member(value, 'metadata'));
}

/** An object of a resource API, also of another server: its folder is an annotation. */
function resourceIn(value: unknown, { origin, place: other }: legacy.Source): Found {
  const [spec, metadata] = [member(value, 'spec'), member(value, 'metadata')];
  const uid = text(metadata, 'name');
  const annotations = Object.entries((member(metadata, 'annotations') ?? {}) as object);
  const folder = annotations.find(([key]) => key.endsWith('/folder'))?.[1];
  const place = typeof folder === 'string' && folder !== '' ? { uid: folder } : other;
  if (text(value, 'kind') === 'Folder') {
    const { title, description } = { title: text(spec, 'title'), description: text(spec, 'description') };
    return { what: 'folder', origin, uid, title, description, parent: place };
  }
  const isDashboard = text(value, 'kind') === 'Dashboard' && isObject(spec);
  const found = isDashboard ? legacy.dashboardIn({ ...spec, uid }, { origin, place }) : undefined;
  return found ?? leftOut(origin, MANIFEST);
}
