import { isTerminating, type KubeObject } from '../../../pkg/kube/meta/types.js';
import { forbidden } from '../../../pkg/kube/status/errors.js';
import { ApiError, type StatusCause } from '../../../pkg/kube/status/status.js';
import { groupName, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { DeleteContext, Strategy } from '../../../registry/kinds/strategy.js';
import { nameOf, objectOf } from '../../../registry/read/reader.js';
import { IN_USE, withoutRoot } from '../../folder/placement.js';
import { isEnding } from '../../iam/ending.js';
import { libraryElementsIn } from '../dashboard/library-panels.js';
import { BY_LIBRARY_ELEMENT } from '../dashboard/schema.js';
import { withSyncedModel } from './model.js';
import { ElementDescription, ElementType, type LibraryElementSpec } from './schema.js';

type Element = KubeObject<LibraryElementSpec>;

/**
 * An element and its model say the same. An element that a dashboard uses cannot be deleted, unless the same commit
 * deletes the dashboard.
 */
export function libraryElementStrategy({ domain }: KindEnvironment): Strategy<LibraryElementSpec> {
  const dashboards = resourceName('dashboard/dashboards', domain);
  const isUsed = (name: string, ctx: DeleteContext): boolean => {
    const { reader, namespace } = ctx;
    for (const entry of reader.walk(dashboards, BY_LIBRARY_ELEMENT, [namespace, name])) {
      if (!ctx.isGoing(dashboards, namespace, nameOf(entry)) && !isTerminating(objectOf(entry))) return true;
    }
    return false;
  };
  return {
    prepareForCreate: (element) => withSyncedModel(withoutRoot(element, domain)),
    prepareForUpdate: (element, old) => withSyncedModel(withoutRoot(element, domain), old.spec),
    validate: ({ spec }) => [...containedElements(spec), ...mirroredProblems(spec)],
    validateDelete: ({ metadata: { name } }, ctx) => {
      if (!isEnding(ctx, domain) && isUsed(name, ctx)) throw inUse(domain, name);
    },
  };
}

/** An element in an element could contain itself. A client that shows it would never end. */
function containedElements(spec: Element['spec']): readonly StatusCause[] {
  if (libraryElementsIn(spec?.model).length === 0) return [];
  const message =
    'Forbidden: the panels of a library element cannot be library elements, because one could contain itself';
  return [{ reason: 'FieldValueForbidden', message, field: 'spec.model.panels' }];
}

/** Type and description may come from the model, which can be any JSON. */
function mirroredProblems(spec: Element['spec']): readonly StatusCause[] {
  const checked = [
    ['type', ElementType.safeParse(spec?.type ?? '')],
    ['description', ElementDescription.safeParse(spec?.description ?? '')],
  ] as const;
  return checked.flatMap(([name, { error }]) =>
    (error?.issues ?? []).map(({ message }) => ({
      reason: 'FieldValueInvalid' as const,
      message: `Invalid value: ${message}`,
      field: `spec.model.${name}`,
    })),
  );
}

function inUse(domain: string, name: string): ApiError {
  const message = 'dashboards use this library element: remove it from them first';
  const error = forbidden({ group: groupName('dashboard', domain), resource: 'libraryelements' }, name, message);
  const { code, reason, details } = error;
  const causes = [{ reason: IN_USE, message }];
  return new ApiError({ code, reason, message: error.message, details: { ...details, causes } });
}
