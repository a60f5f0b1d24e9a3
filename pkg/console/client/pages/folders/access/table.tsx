import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import type { KubeObject } from '../../../lib/object.js';
import { useTitles } from '../../../lib/table-titles.js';
import { Button } from '../../../ui/button.js';
import { SelectField } from '../../../ui/field.js';
import { ScrollBox } from '../../../ui/scroll-box.js';
import { report } from '../../../ui/toasts.js';
import { Behind } from './behind.js';
import { type Change, setLevel, take } from './change.js';
import { type Binding, type Entry, type FolderAccess, LEVELS, needed } from './entries.js';
import { PersonLabel } from './person.js';
import { propose } from './propose.js';
import { subjectKey } from './subjects.js';
import { targetOf } from './target.js';

interface Props {
  readonly folder: KubeObject;
  readonly access: FolderAccess;
  readonly onDone: () => void;
  readonly unavailable: string | undefined;
}

/** The entries of the folder or dashboard, and those that it inherits. Only the former can be changed here. */
export function AccessTable(props: Props) {
  const { word } = targetOf(props.folder);
  return (
    <ScrollBox label="Who has access">
      <table class="table access-table">
        <caption class="sr-only">Who has access to this {word}, and why</caption>
        <thead>
          <tr>
            <th scope="col">Who</th>
            <th scope="col">Level</th>
            <th scope="col">Why</th>
            <th scope="col">
              <span class="sr-only">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.access.entries.map((entry) => (
            <Row key={keyOf(entry)} entry={entry} {...props} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

const keyOf = ({ who, why }: Entry): string =>
  `${subjectKey(who)} ${why.by} ${why.by === 'basic role' ? '' : why.binding.metadata.name}`;

function Row({ entry, folder, access, onDone, unavailable }: Props & { readonly entry: Entry }) {
  const { who, level, isCustom, why } = entry;
  const own = why.by === 'binding' && why.isOwn ? why.binding : undefined;
  const ask = async (change: Change, title: string, action: string, done: string): Promise<void> => {
    if (await propose({ change, title, action, done }, access)) onDone();
  };
  const change = (binding: Binding, to: string): Promise<void> =>
    ask(
      setLevel(entry, binding, to),
      `Change the level of ${who.title}`,
      `Change to ${to}`,
      `${who.title} has the level ${to}.`,
    );
  const remove = (binding: Binding): Promise<void> =>
    ask(take(entry, binding), `Remove the entry of ${who.title}`, 'Remove', `The entry of ${who.title} is removed.`);
  return (
    <tr>
      <td>
        <PersonLabel person={who} />
        <Behind person={who} about={folder} />
      </td>
      <td class="access-level">
        {own === undefined || isCustom ? (
          <Level entry={entry} />
        ) : (
          <SelectField
            label={`Level of ${who.title}`}
            isLabelHidden
            value={level}
            disabled={unavailable !== undefined}
            options={LEVELS.map((one) => [one, one])}
            onValue={(to) => void change(own, to).catch(report).finally(onDone)}
          />
        )}
      </td>
      <td>
        <Reason entry={entry} word={targetOf(folder).word} />
      </td>
      <td class="access-end">
        {own !== undefined && (
          <Button
            look="quiet"
            aria-label={`Remove the entry of ${who.title}`}
            unavailable={unavailable}
            onPress={() => remove(own)}
          >
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
}

function Level({ entry: { level, isCustom, why, who } }: { readonly entry: Entry }) {
  const namespace = why.by === 'basic role' ? undefined : why.binding.metadata.namespace;
  const title = useTitles(needed('iam', 'roles'), namespace ?? '', isCustom ? [level] : [])(level);
  if (!isCustom) return <span class="chip">{level}</span>;
  return (
    <Link
      class="chip"
      href={places.object(needed('iam', 'roles'), namespace, level)}
      aria-label={`Role ${title} of ${who.title}`}
      title={level}
    >
      {title}
    </Link>
  );
}

/** Why somebody has access, with a link to the binding, the role or the folder above. */
function Reason({ entry: { why, who }, word }: { readonly entry: Entry; readonly word: string }) {
  if (why.by === 'basic role')
    return (
      <>
        <Link href={places.builtInRole(who.name)} aria-label={`Role of the organization: ${who.title}`}>
          Role of the organization
        </Link>
        <span class="hint access-note">
          {why.isKept ? 'Administrators always have access' : 'Unless the folder is private'}
        </span>
      </>
    );
  const { namespace, name } = why.binding.metadata;
  if (why.by === 'binding' && !why.isOwn)
    return (
      <>
        Inherited from{' '}
        <Link href={places.folders(why.on.metadata.name)} dir="auto">
          {String(why.on.spec?.['title'] ?? why.on.metadata.name)}
        </Link>
      </>
    );
  const words = why.by === 'binding' ? `Entry of this ${word}` : 'Role in the whole organization';
  return (
    <Link href={places.object(needed('iam', 'rolebindings'), namespace, name)} aria-label={`${words}: ${who.title}`}>
      {words}
    </Link>
  );
}
