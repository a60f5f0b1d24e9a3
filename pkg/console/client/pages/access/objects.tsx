import { ApiError, get } from '../../lib/api.js';
import { objectPath, pathOf, type Resource } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import type { KubeList, KubeObject } from '../../lib/object.js';
import { Combobox } from '../../ui/combobox.js';
import { Marked } from '../../ui/marked.js';
import type { Options } from '../../ui/use-options.js';
import { find } from '../folders/model/find.js';
import { titleOf } from './kind-field.js';

/** An object with the name that people give it. */
export interface Named {
  readonly name: string;
  readonly title: string;
}

interface Props {
  readonly resource: Resource;
  readonly namespace: string;
  /** metadata.name of the chosen object. Empty before the choice. */
  readonly value: string;
  readonly onValue: (name: string) => void;
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly error?: string | undefined;
}

const MOST_FOUND = 20;
/** The most objects of other kinds whose titles are looked at. */
const MOST_LISTED = 500;

/** A field that finds the objects of a kind by their titles. */
export function ObjectPicker({
  resource,
  namespace,
  value,
  onValue,
  label,
  isLabelHidden = false,
  error: problem,
}: Props) {
  const { state } = useLoad(
    (signal) => (value === '' ? Promise.resolve(undefined) : named(resource, namespace, value, signal)),
    [resource.group, resource.resource, namespace, value],
  );
  const { value: chosen, error } = state.value;
  const kind = titleOf(resource).toLowerCase();
  const isMissing = error instanceof ApiError && (error.code === 404 || error.code === 403);
  return (
    <div>
      <Combobox<Named>
        label={label}
        isLabelHidden={isLabelHidden}
        placeholder="Search by title"
        about={JSON.stringify([resource.group, resource.resource, namespace])}
        find={(text, signal) => objectsNamed(resource, namespace, text.trim(), signal)}
        keyOf={({ name }) => name}
        render={({ title, name }, text) => (
          <span title={name} dir="auto">
            <Marked text={title} words={text.split(/\s+/)} />
          </span>
        )}
        value={value === '' ? undefined : (chosen?.title ?? value)}
        onText={() => value !== '' && onValue('')}
        onChoose={({ name }) => onValue(name)}
        none={`There is no ${kind} called so.`}
      />
      {isMissing && <p class="hint">There is no {kind} of this address that you may view.</p>}
      {problem !== undefined && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** The objects whose titles have the words: the best first, or, for kinds that no search knows, in their order. */
export async function objectsNamed(
  resource: Resource,
  namespace: string,
  words: string,
  signal: AbortSignal,
): Promise<Options<Named>> {
  const { resource: plural } = resource;
  if (plural === 'folders' || plural === 'dashboards') {
    const type = plural === 'folders' ? 'folder' : 'dashboard';
    const query = { query: words, type, limit: MOST_FOUND } as const;
    const { hits, totalHits } = await find(namespace, words === '' ? query : { ...query, sort: 'rank' }, signal);
    const more = totalHits - hits.length;
    return { items: hits, ...(more > 0 && { note: `${more} more: type more of the title.` }) };
  }
  const path = pathOf(resource, resource.isNamespaced ? namespace : '');
  const { items } = await get<KubeList<KubeObject>>(path, { limit: MOST_LISTED }, signal);
  const has = ({ title, name }: Named): boolean => `${title} ${name}`.toLowerCase().includes(words.toLowerCase());
  return { items: items.map(namedBy).filter(has).slice(0, MOST_FOUND) };
}

/** The object of this name. Rejects with 403 or 404 if the caller may not view it. */
export async function named(resource: Resource, namespace: string, name: string, signal?: AbortSignal): Promise<Named> {
  return namedBy(await get<KubeObject>(objectPath(resource, resource.isNamespaced ? namespace : '', name), {}, signal));
}

function namedBy({ metadata: { name }, spec }: KubeObject): Named {
  const { title, name: shown, login } = (spec ?? {}) as Readonly<Record<string, unknown>>;
  const called = [title, shown, login].find((one) => typeof one === 'string' && one !== '');
  return { name, title: typeof called === 'string' ? called : name };
}
