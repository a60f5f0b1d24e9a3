import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import type { KindEnvironment } from '../../../registry/kinds/kind.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { withAnnotation } from '../../../registry/kinds/with-annotation.js';
import { type AnnotationSpec, DASHBOARD, LONGEST_TAGS } from './schema.js';
import { normalized } from './tags.js';

type Annotation = KubeObject<AnnotationSpec>;

/**
 * A region does not end before it begins. A dashboard that is named must exist: otherwise the annotation would appear
 * on a later dashboard of that name. When the name is set, the server notes the uid of the dashboard.
 */
export function annotationStrategy({ domain }: KindEnvironment): Strategy<AnnotationSpec> {
  const dashboards = resourceName('dashboard/dashboards', domain);
  const key = `${domain}/${DASHBOARD}`;
  const dashboardOf = (annotation: Annotation, { reader, namespace }: WriteContext): string | undefined => {
    const name = nameOf(annotation);
    return name === '' ? undefined : (reader.get(dashboards, namespace, name)?.metadata.uid ?? '');
  };
  return {
    prepareForCreate: (annotation, ctx) => withAnnotation(withTags(annotation), key, dashboardOf(annotation, ctx)),
    prepareForUpdate: (sent, old, ctx) => {
      const isSame = nameOf(sent) === nameOf(old);
      return withAnnotation(withTags(sent), key, isSame ? old.metadata.annotations?.[key] : dashboardOf(sent, ctx));
    },
    validate: (annotation, old, ctx) => {
      const { spec } = annotation;
      if (spec === undefined) return [];
      const isSame = old !== undefined && nameOf(annotation) === nameOf(old);
      const isMissing = !isSame && dashboardOf(annotation, ctx) === '';
      return [...(isMissing ? missing(nameOf(annotation), ctx) : []), ...timeCauses(spec), ...tagCauses(spec)];
    },
  };
}

/** The name of the dashboard; empty for annotations of the organization. */
function nameOf({ spec }: Annotation): string {
  return spec?.dashboardUID ?? '';
}

/** In a dry run it only warns, because an earlier object of the same manifest may be the missing one. */
function missing(name: string, { warnMissing }: WriteContext): readonly StatusCause[] {
  const [field, message] = ['spec.dashboardUID', `Not found: there is no dashboard ${JSON.stringify(name)}`];
  if (warnMissing === undefined) return [{ reason: 'FieldValueNotFound', message, field }];
  warnMissing(`${field}: ${message}. Create that first, or both together`);
  return [];
}

function withTags(annotation: Annotation): Annotation {
  const { spec } = annotation;
  if (spec?.tags === undefined) return annotation;
  return { ...annotation, spec: { ...spec, tags: [...normalized(spec.tags)] } };
}

function timeCauses({ time, timeEnd = time }: AnnotationSpec): readonly StatusCause[] {
  if (timeEnd >= time) return [];
  return [{ reason: 'FieldValueInvalid', message: 'must not be before spec.time', field: 'spec.timeEnd' }];
}

function tagCauses({ tags = [] }: AnnotationSpec): readonly StatusCause[] {
  const length = tags.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(tags));
  if (length <= LONGEST_TAGS) return [];
  const message = `tags length (${length}) exceeds the maximum allowed (${LONGEST_TAGS})`;
  return [{ reason: 'FieldValueTooLong', message, field: 'spec.tags' }];
}
