import { sealer } from '../../../pkg/identity/crypto/seal.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { serviceUnavailable } from '../../../pkg/kube/status/errors.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import type { AlsoWrite, Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import type { Reader } from '../../../registry/read/reader.js';
import type { ApisEnvironment } from '../../environment.js';
import { newDataKey } from '../../internal/datakey/key.js';
import { DATA_KEY, SECRETS } from '../../internal/datakey/schema.js';
import { storedDataKey } from '../../internal/datakey/stored.js';
import { bytesOf, immutableCauses, keyCauses, sizeCauses, type Values } from '../values/rules.js';
import { normalized } from '../values/schema.js';
import { BY_SEALED } from './encryption.js';
import { typeCauses, typeWarnings } from './types.js';

export interface Secret extends KubeObject {
  readonly immutable?: boolean;
  readonly type?: string;
  readonly data?: Values;
  readonly stringData?: Values;
}

const OPAQUE = 'Opaque';

/** Why Secrets can be neither read nor written. Absent: they can. */
export function secretOutage(reader: Reader): string | undefined {
  return reader.entries(SECRETS, BY_SEALED, [], 1).length > 0 ? WRONG_KEY : undefined;
}

const WRONG_KEY =
  'Secrets cannot be read or written: security.secret_key is not the key under which they are encrypted. Restore the key, and restart the server.';

/** Kubernetes' rules. The first Secret makes the data key that encrypts it and all later ones. */
export function secretStrategy(environment: ApisEnvironment): Strategy {
  return {
    prepareForCreate: (object) => prepared(object as Secret, OPAQUE),
    prepareForUpdate: (object, old) => prepared(object as Secret, (old as Secret).type ?? OPAQUE),
    validate: (object, old) => causesOf(object as Secret, old as Secret | undefined),
    warnings: (object) => typeWarnings(object as Secret),
    alsoWrite: (_object, _sent, _old, ctx) => dataKeyWrites(ctx, environment),
  };
}

/** The write of a data key, if there is none yet. Throws 503 if there is one that cannot be opened. */
function dataKeyWrites({ reader }: WriteContext, { domain, signOn }: ApisEnvironment): readonly AlsoWrite[] {
  const { resource, spec, key } = storedDataKey(reader, domain, signOn.secretKey());
  if (secretOutage(reader) !== undefined || (spec !== undefined && key === undefined))
    throw serviceUnavailable(WRONG_KEY);
  return spec === undefined ? [{ resource, name: DATA_KEY, spec: newDataKey(sealer(signOn.secretKey())).spec }] : [];
}

/** stringData is written into data, and is not stored. */
function prepared({ stringData, data, type, ...object }: Secret, otherwise: string): Secret {
  const written = Object.entries(stringData ?? {}).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  const all =
    data === undefined && written.length === 0 ? undefined : { ...normalized(data), ...Object.fromEntries(written) };
  return { ...object, ...(all && { data: all }), type: type === undefined || type === '' ? otherwise : type };
}

function causesOf(object: Secret, old: Secret | undefined): readonly StatusCause[] {
  const { data, type } = object;
  const isOther = old !== undefined && old.type !== type;
  return [
    ...keyCauses('data', data),
    ...sizeCauses('data', bytesOf(data, true)),
    ...typeCauses(object),
    ...(isOther
      ? [
          {
            reason: 'FieldValueInvalid' as const,
            message: `Invalid value: ${JSON.stringify(type)}: field is immutable`,
            field: 'type',
          },
        ]
      : []),
    ...immutableCauses(object, old, ['data']),
  ];
}
