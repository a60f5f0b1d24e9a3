import { filledIn } from '../../../apis/dashboard/dashboard/legacy/inputs.js';
import { inputsOf } from '../../../pkg/dashboards/inputs.js';
import { contentOf, type DashboardModel, member } from '../../../pkg/dashboards/model.js';
import { isObject } from '../../../pkg/system/object/is-object.js';
import type { FoundElement, Place } from './found.js';
import { elementIn } from './legacy.js';
import { text } from './values.js';

/** The values of placeholders by their names: `DS_PROMETHEUS`. */
export type InputValues = ReadonlyMap<string, string>;

export interface Content {
  readonly spec: DashboardModel;
  /** Placeholders that have no value. They stay, with what the dashboard says about them. */
  readonly open: readonly string[];
}

/** What is stored of an exported dashboard: its placeholders are filled in, if all of them have values. */
export function contentWith(dashboard: DashboardModel, values: InputValues): Content {
  const inputs = inputsOf(dashboard).map(({ name, type, value }) => ({
    name,
    value: values.get(name) ?? (type === 'constant' ? value : undefined),
  }));
  const open = inputs.filter(({ value }) => value === undefined).map(({ name }) => name);
  if (inputs.length > 0 && open.length === 0) {
    const given = inputs.map(({ name, value }) => ({ name, value }));
    return { spec: contentOf(filledIn(dashboard, given).dashboard as DashboardModel), open };
  }
  return { spec: contentOf(dashboard), open };
}

/** The library elements that come along with an exported dashboard. They lie in its folder. */
export function elementsOf(spec: DashboardModel, origin: string, place: Place): readonly FoundElement[] {
  const along = member(spec, '__elements');
  const elements: readonly unknown[] = Array.isArray(along) ? along : Object.values(isObject(along) ? along : {});
  const keys = isObject(along) ? Object.keys(along) : [];
  return elements.flatMap((element, i) => {
    if (!isObject(element) || !isObject(element['model'])) return [];
    const uid = text(element, 'uid') || (keys[i] ?? '');
    return [elementIn({ kind: 1, ...element }, { origin, place }, uid)];
  });
}

/** The dashboard without what is only for the import, and without the null that tools in Go write for no tags. */
export function withoutExport({ __elements: _, __requires: __, ...spec }: DashboardModel): DashboardModel {
  if (spec['tags'] !== null) return spec as DashboardModel;
  const { tags: ___, ...untagged } = spec;
  return untagged as DashboardModel;
}
