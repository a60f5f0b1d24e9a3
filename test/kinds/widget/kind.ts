import { z } from 'zod';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { invalid } from '../../../pkg/kube/status/errors.js';
import { defineSubresource, type MessageAnswer } from '../../../registry/client/define-subresource.js';
import type { KindIdentity } from '../../../registry/kinds/definition/identity.js';
import type { KindServing } from '../../../registry/kinds/definition/serving.js';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { plainConventions } from '../../../registry/kinds/plain-conventions.js';

const WidgetSpec = z
  .strictObject({
    title: z.string().min(1).describe('Title.'),
    size: z.int().min(0).default(1).describe('Size.'),
    note: z.string().optional().describe('Anything.'),
  })
  .meta({ id: 'WidgetSpec' });
type WidgetSpec = z.infer<typeof WidgetSpec>;
type Widget = KubeObject<WidgetSpec>;

const WidgetStatus = z
  .strictObject({
    phase: z.enum(['Ready', 'Broken']).describe('Whether it works.'),
    observedGeneration: z.int().optional().describe('The generation that the phase is about.'),
  })
  .meta({ id: 'WidgetStatus' });

const SizeSpec = z.strictObject({ size: z.int().min(0).max(10).describe('Size.') }).meta({ id: 'WidgetSizeSpec' });
const SizeStatus = z.strictObject({ isLarge: z.boolean() }).meta({ id: 'WidgetSizeStatus' });

/** The annotation that a bare body of a PlainWidget keeps. */
export const SHELF = 'example.com/shelf';

/** The kind with the conventions of plain HTTP callers. */
export function plainWidget(environment: KindEnvironment): Kind<WidgetSpec> {
  const conventions = plainConventions({ keptAnnotations: [SHELF] });
  return widget(environment, {
    identity: { kind: 'PlainWidget', resource: 'plainwidgets', singular: 'plainwidget' },
    serving: { conventions },
  });
}

interface More {
  readonly identity?: Partial<KindIdentity<WidgetSpec>>;
  readonly serving?: KindServing;
}

/** A kind for tests, with a status and with all forms of subresources. */
export function widget(environment: KindEnvironment, more: More = {}): Kind<WidgetSpec> {
  const group = `widget.${environment.domain}`;
  return defineKind<WidgetSpec>(environment, {
    identity: {
      group: 'widget',
      version: 'v1beta1',
      kind: 'Widget',
      resource: 'widgets',
      singular: 'widget',
      scope: 'Namespaced',
      description: 'Widget is a thing with a size.',
      spec: WidgetSpec,
      status: WidgetStatus,
      ...more.identity,
    },
    access: {
      permissions: {
        get: ['widgets:read'],
        create: ['widgets:create'],
        update: ['widgets:write'],
        delete: ['widgets:delete'],
        subresources: { status: { update: ['widgets.status:write'] }, size: { update: ['widgets.size:write'] } },
        scopes: ({ metadata }) => [`widgets:uid:${metadata.name}`],
        allowSelf: ({ metadata }, { uid }) => metadata.name === `of-${uid}`,
      },
    },
    serving: {
      subresources: [sizeSubresource(group), copiesSubresource(group), FINALIZE],
      columns: [{ name: 'Phase', type: 'string', description: 'Ready or Broken', priority: 0, cell: phaseOf }],
      ...more.serving,
    },
  });
}

function phaseOf({ status }: KubeObject): string {
  return (status as z.infer<typeof WidgetStatus> | undefined)?.phase ?? '';
}

/** Reads and writes a field of the object, as `scale` does in Kubernetes. */
function sizeSubresource(group: string) {
  const change = (size: number) => (old: Widget) => ({ ...old, spec: { ...specOf(old), size } });
  const answer = (object: Widget): MessageAnswer<{ spec: { size: number }; status: { isLarge: boolean } }> => {
    const { uid = '', resourceVersion = '' } = object.metadata;
    const { size } = specOf(object);
    return { metadata: { uid, resourceVersion }, spec: { size }, status: { isLarge: size > 5 } };
  };
  return defineSubresource({
    name: 'size',
    kind: {
      group,
      version: 'v1beta1',
      kind: 'WidgetSize',
      description: 'WidgetSize is the size of a Widget.',
      body: z.object({ spec: SizeSpec }),
      answer: z.object({ spec: SizeSpec, status: SizeStatus }),
    },
    verbs: {
      get: ({ object }: { readonly object: Widget }) => answer(object),
      update: ({ body, transact }) => transact(({ update }) => answer(update(change(body.spec.size)))),
      patch: ({ patch, transact }) =>
        transact(({ object, update }) => answer(update(change(patch(answer(object)).spec.size)))),
    },
  });
}

/** Creates a copy of an object, in a commit that reads it. It is also served in another group. */
function copiesSubresource(group: string) {
  return defineSubresource({
    name: 'copies',
    kind: {
      group,
      version: 'v1beta1',
      kind: 'WidgetCopy',
      description: 'WidgetCopy requests a copy of a Widget.',
      body: z.object({ spec: z.strictObject({ name: z.string().min(1) }).meta({ id: 'WidgetCopySpec' }) }),
      answer: z.object({ status: z.strictObject({ uid: z.string(), at: z.int() }).meta({ id: 'WidgetCopyStatus' }) }),
    },
    verbs: {
      create: async ({ object: { metadata }, body, client, now, transact }) => {
        const { name } = body.spec;
        if (name === metadata.name)
          throw invalid({ group, kind: 'WidgetCopy' }, name, [{ message: 'it is its own name' }]);
        const kind = client.registry.kinds.find((one) => one.group === group);
        if (kind === undefined) throw new Error('there are no widgets');
        const copy = await transact(({ transaction, object }) =>
          transaction.objects(kind, metadata.namespace).create({ metadata: { name }, spec: object.spec }),
        );
        return { status: { uid: copy.metadata.uid ?? '', at: now() } };
      },
    },
    aliases: [{ group: `tools.${group}`, version: 'v1' }],
  });
}

/**
 * Sets the finalizers of the body, as `finalize` of Kubernetes' namespaces does. Its bodies and answers are Widgets.
 */
const FINALIZE = defineSubresource<WidgetSpec>({
  name: 'finalize',
  verbs: {
    update: ({ body: { metadata }, transact }) =>
      transact(({ update }) =>
        update((old) => ({ ...old, metadata: { ...old.metadata, finalizers: metadata.finalizers ?? [] } })),
      ),
  },
});

function specOf({ spec }: Widget): WidgetSpec {
  return spec as WidgetSpec;
}
