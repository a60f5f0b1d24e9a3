import type { JsonSchema } from '../../structural/json-schema.js';

/**
 * The greatest request that Kubernetes takes, in bytes. Costs are estimated with it, whatever the limit of this server
 * is.
 */
export const MAX_REQUEST = 3 * 1024 * 1024;

/** How large the values of a schema can be, and how short their JSON can be, as Kubernetes estimates it. */
export interface Size {
  /** The most elements, entries or bytes. 0 if the values have none. */
  readonly max: number;
  /** The bytes of the shortest JSON. */
  readonly minJson: number;
}

export function stringSize(schema: JsonSchema): Size {
  const { format, maxLength } = schema;
  switch (format) {
    case 'byte':
      return { max: maxLength == null ? MAX_REQUEST - 2 : positive(maxLength), minJson: 2 };
    case 'duration':
      return { max: 32, minJson: 3 };
    case 'date':
      return { max: 12, minJson: 12 };
    case 'date-time':
      return { max: 32, minJson: 21 };
    default:
      return { max: textMax(schema), minJson: 2 };
  }
}

/** A character may be four bytes long. */
function textMax({ maxLength, enum: values }: JsonSchema): number {
  if (maxLength != null) return positive(maxLength) * 4;
  if (values == null || values.length === 0) return MAX_REQUEST - 2;
  return Math.max(0, ...values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}

export function intOrStringSize({ maxLength }: JsonSchema): Size {
  return { max: maxLength == null ? MAX_REQUEST - 2 : positive(maxLength) * 4, minJson: 1 };
}

export function listSize({ maxItems }: JsonSchema, element: Size): Size {
  return {
    max: maxItems == null ? Math.floor((MAX_REQUEST - 2) / (element.minJson + 1)) : positive(maxItems),
    minJson: 2,
  };
}

export function mapSize({ maxProperties }: JsonSchema, element: Size): Size {
  const max = maxProperties == null ? Math.floor((MAX_REQUEST - 2) / (element.minJson + 6)) : positive(maxProperties);
  return { max, minJson: 2 };
}

function positive(value: number | bigint): number {
  return Math.max(0, Number(value));
}
