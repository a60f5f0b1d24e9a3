import type { KubeObject } from '../../../pkg/meta/types.js';
import type { StatusCause } from '../../../pkg/status/status.js';
import type { KindEnvironment } from '../../../registry/kind.js';
import type { Strategy, WriteContext } from '../../../registry/strategy.js';
import { withAnnotation } from '../../folder/placement.js';
import { resourceName } from '../../iam/names.js';
import { type AnnotationSpec, DASHBOARD, LONGEST_TAGS } from './schema.js';
import { normalized } from './tags.js';

type Annotation = KubeObject<AnnotationSpec>;

/** A region does not end before it begins, and an annotation stays on its dashboard. */
export function annotationStrategy({ domain }: KindEnvironment): Strategy<AnnotationSpec> {
  const dashboards = resourceName('dashboards', domain);
  const key = `${domain}/${DASHBOARD}`;
  const dashboardOf = ({ spec }: Annotation, { reader, namespace }: WriteContext): string | undefined => {
    const { dashboardUID: uid = '' } = spec ?? {};
    return uid === '' ? undefined : (reader.get(dashboards, namespace, uid)?.metadata.uid ?? '');
  };
  return {
    prepareForCreate: (annotation, ctx) => withAnnotation(withTags(annotation), key, dashboardOf(annotation, ctx)),
    prepareForUpdate: (sent, old) => withAnnotation(withTags(sent), key, old.metadata.annotations?.[key]),
    validate: ({ spec }, old) => {
      if (spec === undefined) return [];
      return [...timeCauses(spec), ...tagCauses(spec), ...(old?.spec === undefined ? [] : moveCauses(spec, old.spec))];
    },
  };
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

function moveCauses({ dashboardUID = '' }: AnnotationSpec, old: AnnotationSpec): readonly StatusCause[] {
  if (dashboardUID === (old.dashboardUID ?? '')) return [];
  const message = 'field is immutable: create an annotation on the other dashboard instead';
  return [{ reason: 'FieldValueForbidden', message, field: 'spec.dashboardUID' }];
}
