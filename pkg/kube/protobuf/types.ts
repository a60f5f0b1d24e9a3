import protobuf from 'protobufjs/light.js';
import descriptors from './descriptors.json' with { type: 'json' };

export const PROTOBUF_MEDIA_TYPE = 'application/vnd.kubernetes.protobuf';

/** Every body begins with `k8s` and a zero byte. */
export const MAGIC = Buffer.from('k8s\0');

/** Proto2, as Kubernetes' own files: a field that was sent differs from one that was not, also if it is zero. */
const types = Object.entries(descriptors.nested).map(([name, type]) => [name, { ...type, edition: 'proto2' }]);
const root = protobuf.Root.fromJSON({ nested: Object.fromEntries(types) }).resolveAll();
const kinds: Readonly<Record<string, string>> = descriptors.kinds;

export const typeNamed = (name: string): protobuf.Type => root.lookupType(name);

/** The message of a kind. Undefined if the kind is not one of Kubernetes', or this server does not have it. */
export function typeOfKind(apiVersion: string, kind: string): protobuf.Type | undefined {
  const key = `${apiVersion} ${kind}`;
  return Object.hasOwn(kinds, key) ? typeNamed(kinds[key] ?? '') : undefined;
}

/** Whether objects of the kind have a form in protobuf. */
export const hasProtobuf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): boolean =>
  Object.hasOwn(kinds, `${apiVersion} ${kind}`);

/** What is made of each type once, when it is first asked for. */
export function perType<Made>(make: (type: protobuf.Type) => Made): (type: protobuf.Type) => Made {
  const made = new Map<protobuf.Type, Made>();
  return (type) => {
    const converters = made.get(type) ?? make(type);
    made.set(type, converters);
    return converters;
  };
}

/** The tag of a field that is preceded by its length: a text, bytes or a message. */
export const lengthTag = (id: number): number => (id << 3) | 2;

/** Messages whose JSON is not an object with a member for each field. */
export type SpecialMessage = keyof typeof SPECIAL;

const SPECIAL = {
  MetaV1Time: true,
  MetaV1MicroTime: true,
  MetaV1FieldsV1: true,
  RawExtension: true,
  IntOrString: true,
  AuthenticationV1AttestationValue: true,
  AuthenticationV1ExtraValue: true,
  AuthorizationV1ExtraValue: true,
  ApiextensionsV1JSON: true,
  ApiextensionsV1JSONSchemaPropsOrArray: true,
  ApiextensionsV1JSONSchemaPropsOrBool: true,
  ApiextensionsV1JSONSchemaPropsOrStringArray: true,
} as const;

export const isSpecial = (name: string): name is SpecialMessage => Object.hasOwn(SPECIAL, name);

/** Whether JSON has the member even if its value is zero: Go has a pointer, or no `omitempty`. */
export const isKept = ({ options }: protobuf.Field): boolean => options?.['kept'] === true;

/** The name of the field in JSON, if it is another. */
export const jsonName = ({ name, options }: protobuf.Field): string =>
  (options?.['json'] as string | undefined) ?? name;
