import { useEffect } from 'preact/hooks';
import { call } from '../../lib/api.js';
import { pathOf } from '../../lib/discovery.js';
import type { KubeList, KubeObject } from '../../lib/object.js';
import { Button } from '../../ui/button.js';
import { Combobox } from '../../ui/combobox.js';
import { Marked } from '../../ui/marked.js';
import { type Named, objectsNamed } from '../access/objects.js';
import { folders as foldersResource } from '../folders/model/kinds.js';
import { askTitle, knownTitle } from '../folders/model/titles.js';
import { secretsResource } from './save.js';

const MOST_SECRETS = 500;
const MOST_SHOWN = 20;
/** The names only: what is in a Secret does not come to the page. */
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

interface SecretProps {
  readonly namespace: string;
  readonly value: string;
  readonly onValue: (name: string) => void;
  readonly error: string | undefined;
}

/** Chooses a Secret by its name. */
export function SecretField({ namespace, value, onValue, error }: SecretProps) {
  const find = async (text: string, signal: AbortSignal) => {
    const path = pathOf(secretsResource(), namespace);
    const query = { limit: MOST_SECRETS };
    const { items } = (await call<KubeList<KubeObject>>('GET', path, { query, accept: METADATA, signal })).body;
    const names = items.map(({ metadata: { name } }) => name).filter((name) => name.includes(text.trim()));
    return { items: names.slice(0, MOST_SHOWN) };
  };
  return (
    <div>
      <Combobox<string>
        label="Secret"
        placeholder="Search by name"
        about={namespace}
        find={find}
        keyOf={(name) => name}
        render={(name) => name}
        value={value === '' ? undefined : value}
        onText={() => value !== '' && onValue('')}
        onChoose={onValue}
        none="There is no Secret called so that you may see."
      />
      <p class="hint">It has the key token, or the keys login and password.</p>
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface FoldersProps {
  readonly namespace: string;
  readonly value: readonly string[];
  readonly onValue: (names: readonly string[]) => void;
  readonly error: string | undefined;
}

/** Chooses folders by their titles. */
export function FoldersField({ namespace, value, onValue, error }: FoldersProps) {
  return (
    <div class="stack tight">
      <Combobox<Named>
        label="Folders"
        placeholder="Search by title"
        about={`${namespace} ${value.join(' ')}`}
        find={async (text, signal) => {
          const found = await objectsNamed(foldersResource(), namespace, text.trim(), signal);
          return { ...found, items: found.items.filter(({ name }) => !value.includes(name)) };
        }}
        keyOf={({ name }) => name}
        render={({ title, name }, text) => (
          <span title={name} dir="auto">
            <Marked text={title} words={text.split(/\s+/)} />
          </span>
        )}
        onChoose={({ name }) => onValue([...value, name])}
        none="No other folder is called so."
      />
      {value.length > 0 && (
        <ul class="row mirrors-chosen" aria-label="Chosen folders">
          {value.map((name) => (
            <li key={name}>
              <ChosenFolder
                namespace={namespace}
                name={name}
                onRemove={() => onValue(value.filter((one) => one !== name))}
              />
            </li>
          ))}
        </ul>
      )}
      <p class="hint">With all folders below them.</p>
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

interface ChosenProps {
  readonly namespace: string;
  readonly name: string;
  readonly onRemove: () => void;
}

function ChosenFolder({ namespace, name, onRemove }: ChosenProps) {
  useEffect(() => askTitle('folder', namespace, name), [namespace, name]);
  const title = knownTitle('folder', namespace, name) ?? name;
  return (
    <Button class="mirrors-folder" aria-label={`Leave out ${title}`} title={name} onPress={onRemove}>
      <bdi>{title}</bdi> <span aria-hidden="true">✕</span>
    </Button>
  );
}
