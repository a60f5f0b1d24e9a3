import type { KubeObject } from '../../../pkg/meta/types.js';
import { type LibraryElementSpec, PANEL } from './schema.js';

/** The members of the model that are also fields of the element. */
const MIRRORED = ['type', 'description'] as const;
type Mirrored = (typeof MIRRORED)[number];

/**
 * The element with the same type and description as its model. The model wins, unless the field was changed and the model was not. The model of
 * a panel names the element, as in dashboards, and whatever it named before is replaced: so a model that was copied does not name another
 * element.
 */
export function withSyncedModel(
  element: KubeObject<LibraryElementSpec>,
  old?: LibraryElementSpec,
): KubeObject<LibraryElementSpec> {
  const { spec, metadata } = element;
  if (spec === undefined) return element;
  const values = MIRRORED.flatMap((field) => {
    const value = mirrored(field, spec, old);
    return value === undefined ? [] : [[field, value] as const];
  });
  const libraryPanel = spec.kind === PANEL && { libraryPanel: { uid: metadata.name, name: spec.name } };
  const same = Object.fromEntries(values);
  return { ...element, spec: { ...spec, ...same, model: { ...spec.model, ...same, ...libraryPanel } } };
}

function mirrored(field: Mirrored, spec: LibraryElementSpec, old: LibraryElementSpec | undefined): string | undefined {
  const inModel = textIn(spec, field);
  if (inModel === undefined || spec[field] === undefined) return inModel ?? spec[field];
  const isOwnChange = old !== undefined && inModel === textIn(old, field) && spec[field] !== old[field];
  return isOwnChange ? spec[field] : inModel;
}

function textIn({ model }: LibraryElementSpec, field: Mirrored): string | undefined {
  const value = model[field];
  return typeof value === 'string' ? value : undefined;
}
