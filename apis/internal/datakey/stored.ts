import { type Sealer, sealer } from '../../../pkg/identity/crypto/seal.js';
import { groupName } from '../../../registry/kinds/kind.js';
import type { Reader } from '../../../registry/read/reader.js';
import { openDataKey } from './key.js';
import { DATA_KEY, type DataKeySpec } from './schema.js';

/** The data key of the store at one state. */
export interface StoredDataKey {
  /** The resource of data keys. */
  readonly resource: string;
  /** Absent if there is none yet. */
  readonly spec: DataKeySpec | undefined;
  /** Absent, too, if the secret key does not open it. */
  readonly key: Sealer | undefined;
}

export function storedDataKey(reader: Reader, domain: string, secretKey: string): StoredDataKey {
  const resource = `datakeys.${groupName('internal', domain)}`;
  const spec = reader.get<DataKeySpec>(resource, '', DATA_KEY)?.spec;
  return { resource, spec, key: spec && openDataKey(spec, sealer(secretKey)) };
}
