import { useMemo } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { type KindSchema, loadSchema } from '../../../editor/schema/openapi.js';
import { template } from '../../../editor/schema/template.js';
import type { Resource } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import { namespace, organizationTitle } from '../../../lib/session.js';
import { useMay } from '../../../lib/use-may.js';
import { Skeleton } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { Editing } from './editing.js';
import { Workbench } from './workbench.js';

/** A new object, in an editor that begins with a template. */
export function NewObject({ resource }: { readonly resource: Resource }) {
  const where = resource.isNamespaced ? namespace.value : undefined;
  const schema = useLoad(() => loadSchema(resource), []).state.value;
  if (schema.phase === 'loading') return <Skeleton rows={14} />;
  return <Draft key={where ?? ''} resource={resource} namespace={where} schema={schema.value} />;
}

interface Props {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly schema: KindSchema | undefined;
}

function Draft({ resource, namespace: where, schema }: Props) {
  const [, go] = useLocation();
  const { group, version, kind } = resource;
  const editing = useMemo(() => {
    const identity = { apiVersion: group === '' ? version : `${group}/${version}`, kind };
    return new Editing({
      target: { resource, namespace: where, name: undefined },
      text: template(schema, { ...identity, namespace: where }),
      place: `new/${group}/${version}/${resource.resource}/${where ?? ''}`,
      identity,
      onSaved: ({ metadata }) => {
        tell(`${kind} ${metadata.name} was created.`);
        go(places.object(resource, metadata.namespace, metadata.name));
      },
    });
  }, []);
  const { unavailable: denied } = useMay('create', resource, { namespace: where });
  const verbs = resource.verbs.includes('create');
  const readOnly = verbs ? denied : 'The server does not create objects of this kind.';
  return (
    <Workbench editing={editing} schema={schema} label={`New ${kind} as YAML`} readOnly={readOnly}>
      {where !== undefined && <span class="muted">In the organization {organizationTitle(where)}</span>}
      {schema === undefined && <span class="hint">This kind has no schema.</span>}
    </Workbench>
  );
}
