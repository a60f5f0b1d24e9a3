import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { columnCell } from '../../../pkg/kube/structural/column-cell.js';
import { compileJsonPath } from '../../../pkg/kube/structural/json-path.js';
import { openApiV2Object, openApiV3Object } from '../../../pkg/kube/structural/open-api.js';
import { byStability } from '../../../registry/discovery/resource.js';
import type { Column } from '../../../registry/kinds/kind.js';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../customresourcedefinition/schema.js';
import { scaleSubresource } from './scale.js';
import { textAt } from './text-at.js';
import type { Version } from './versions.js';

/** How a version is served: its documents, tables and selectors. */
export function servingOf({ definition, name, checked }: Version, spec: CustomResourceDefinitionSpec, kind: string) {
  const { group = '' } = spec;
  const { scale } = checked;
  const described = { group, version: name, kind };
  const json = definition.schema?.openAPIV3Schema ?? undefined;
  return {
    served: definition.served === true,
    objectSchema: (openApi: 'v2' | 'v3') =>
      openApi === 'v2' ? openApiV2Object(json, described) : openApiV3Object(json, described),
    documentVersion: JSON.stringify([described, definition]),
    columns: columnsOf(definition),
    hasOwnAge: true,
    selectableFields: fieldsOf(definition),
    ...(scale && { subresources: [scaleSubresource(scale)] }),
    ...(definition.deprecated === true && { deprecation: deprecationOf(definition, spec, kind) }),
  };
}

/** As in Kubernetes, the usual warning names the most stable version that is not deprecated, if that is more stable. */
function deprecationOf(
  { name = '', deprecationWarning }: CustomResourceDefinitionVersion,
  { group, versions }: CustomResourceDefinitionSpec,
  kind: string,
): string {
  const others = (versions ?? []).filter(({ served, deprecated }) => served === true && deprecated !== true);
  const [best] = others.map((other) => other.name ?? '').sort(byStability);
  const advice = best !== undefined && byStability(best, name) < 0 ? `; use ${group}/${best} ${kind}` : '';
  return deprecationWarning ?? `${group}/${name} ${kind} is deprecated${advice}`;
}

/** As in Kubernetes, the age is a column of its own only if the definition has no columns. */
const AGE: CustomResourceColumnDefinition = {
  name: 'Age',
  type: 'date',
  description: 'How long ago the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

function columnsOf({ additionalPrinterColumns }: CustomResourceDefinitionVersion): readonly Column[] {
  const columns = additionalPrinterColumns?.length ? additionalPrinterColumns : [AGE];
  return columns.map(({ name = '', type = 'string', format = '', priority = 0, jsonPath = '', ...column }) => {
    const path = compileJsonPath(jsonPath);
    // In Kubernetes' words, if the definition has none.
    const description = column.description || `Custom resource definition column (in JSONPath format): ${jsonPath}`;
    const cell = (object: KubeObject, now: Date) => columnCell(path, type, object, now.getTime());
    return { name, type: type as Column['type'], isPrinted: true, format, description, priority, cell };
  });
}

function fieldsOf({ selectableFields }: CustomResourceDefinitionVersion) {
  const paths = (selectableFields ?? []).map(({ jsonPath = '' }) => jsonPath);
  return Object.fromEntries(
    paths.map((jsonPath) => {
      const path = compileJsonPath(jsonPath);
      return [jsonPath.replace(/^\./, ''), (object: KubeObject) => textAt(path, object)];
    }),
  );
}
