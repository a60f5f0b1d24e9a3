import type { Resource } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import type { KubeObject } from '../../../lib/object.js';
import { may } from '../../../lib/session.js';
import { Notice, Skeleton } from '../../../ui/states.js';
import { targetOf } from './target.js';

const QUESTIONS = [
  ['View it', 'get'],
  ['Change it', 'update'],
  ['Delete it', 'delete'],
] as const;

/** Tells callers why they may not see who has access, and what they may do themselves. */
export function OwnAccess({ folder }: { readonly folder: KubeObject }) {
  const { namespace = '', name } = folder.metadata;
  const { resource, word } = targetOf(folder);
  return (
    <div class="stack access">
      <Notice>Only who administers this {word} may see who has access to it.</Notice>
      <h2>What you may do with this {word}</h2>
      <OwnRights resource={resource} namespace={namespace} name={name} />
    </div>
  );
}

interface Props {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** What the caller may do with an object, also if they have no account. */
export function OwnRights({ resource, namespace, name }: Props) {
  const { state } = useLoad(
    () => Promise.all(QUESTIONS.map(([, verb]) => may({ verb, resource, namespace, name }))),
    [resource.resource, namespace, name],
  );
  const { value: answers } = state.value;
  if (answers === undefined) return <Skeleton rows={3} />;
  return (
    <dl class="facts">
      {QUESTIONS.map(([label], index) => (
        <>
          <dt key={label}>{label}</dt>
          <dd>{answers[index]?.allowed === true ? 'Yes' : `No: ${answers[index]?.reason ?? 'not allowed'}`}</dd>
        </>
      ))}
    </dl>
  );
}
