import type { KubeObject } from '../../../pkg/meta/types.js';
import type { StatusCause } from '../../../pkg/status/status.js';
import type { KindEnvironment } from '../../../registry/kinds/kind.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { withAnnotation } from '../../folder/placement.js';
import { resourceName } from '../../iam/names.js';
import { type AnnotationSpec, DASHBOARD, LONGEST_TAGS } from './schema.js';
import { normalized } from './tags.js';

type Annotation = KubeObject<AnnotationSpec>;

/** A region does not end before it begins. When the name of a dashboard is set, the server notes the uid of the dashboard that has the name. */
export function annotationStrategy({ domain }: KindEnvironment): Strategy<AnnotationSpec> {
  const dashboards = resourceName('dashboards', domain);
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
    validate: ({ spec }) => (spec === undefined ? [] : [...timeCauses(spec), ...tagCauses(spec)]),
  };
}

/** The name of the dashboard; empty for annotations of the organization. */
function nameOf({ spec }: Annotation): string {
  return spec?.dashboardUID ?? '';
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
