import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { listed, type Resource } from '../../lib/discovery.js';
import { Button } from '../../ui/button.js';
import type { Sample } from './metrics.js';

interface Stored {
  /** `<plural>.<group>`. */
  readonly resource: string;
  readonly objects: number;
  readonly bytes: number;
}

/** Rows that are shown at first. */
const FIRST = 12;

/** The number of objects of each resource, and the memory that they take. The largest numbers come first. */
export function StoredObjects({ samples }: { readonly samples: readonly Sample[] }) {
  const isWhole = useSignal(false);
  const all = storedIn(samples);
  const shown = isWhole.value ? all : all.slice(0, FIRST);
  return (
    <div class="stack tight">
      <div class="table-box">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Resource</th>
              <th scope="col" class="number">
                Objects
              </th>
              <th scope="col" class="number">
                In memory
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ resource, objects, bytes }) => (
              <tr key={resource}>
                <td>
                  <ResourceName name={resource} />
                </td>
                <td class="number">{objects.toLocaleString()}</td>
                <td class="number">{bytes === 0 ? 'on disk' : sizeOf(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {all.length > FIRST && (
        <div>
          <Button onPress={() => (isWhole.value = !isWhole.value)}>
            {isWhole.value ? 'Show fewer' : `Show all ${all.length}`}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Internal resources have no page. */
function ResourceName({ name }: { readonly name: string }) {
  const found = listed.value.find((one) => nameOf(one) === name);
  return found === undefined ? <span>{name}</span> : <Link href={places.kind(found)}>{name}</Link>;
}

function nameOf({ resource, group }: Resource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

function storedIn(samples: readonly Sample[]): readonly Stored[] {
  const bytes = new Map(
    samples
      .filter(({ name }) => name === 'apiserver_storage_object_bytes')
      .map(({ labels, value }) => [labels['resource'], value]),
  );
  return samples
    .filter(({ name, value }) => name === 'apiserver_storage_objects' && value > 0)
    .map(({ labels, value }) => ({
      resource: labels['resource'] ?? '',
      objects: value,
      bytes: bytes.get(labels['resource']) ?? 0,
    }))
    .sort((a, b) => b.objects - a.objects);
}

function sizeOf(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** at).toLocaleString(undefined, { maximumFractionDigits: at === 0 ? 0 : 1 })} ${units[at]}`;
}
