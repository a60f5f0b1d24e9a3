import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import { type LibraryElementSpec, PANEL } from './schema.js';

/** The members of the model that are also fields of the element. */
const MIRRORED = ['type', 'description'] as const;
type Mirrored = (typeof MIRRORED)[number];

/**
 * The element with the same type and description as its model. The model wins, unless the field was changed and the
 * model was not. Otherwise the model stays as it was sent, because clients compare it. Only a panel whose
 * `libraryPanel` has an empty uid gets that of the element.
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
  const libraryPanel = spec.kind === PANEL && namedPanel(spec.model, metadata.name);
  const same = Object.fromEntries(values);
  return { ...element, spec: { ...spec, ...same, model: { ...spec.model, ...same, ...libraryPanel } } };
}

function namedPanel({ libraryPanel }: LibraryElementSpec['model'], uid: string) {
  const isUnnamed = isObject(libraryPanel) && (libraryPanel['uid'] ?? '') === '';
  return isUnnamed && { libraryPanel: { ...libraryPanel, uid } };
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
