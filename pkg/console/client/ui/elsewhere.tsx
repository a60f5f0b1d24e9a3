import { ApiError, get } from '../lib/api.js';
import { objectPath, type Resource } from '../lib/discovery.js';
import { useLoad } from '../lib/load.js';
import { enter } from '../lib/namespace.js';
import { namespace, type Organization, organizations } from '../lib/session.js';
import { Button } from './button.js';

/** How many other organizations are asked. */
const MOST = 25;

interface Props {
  readonly resource: Resource | undefined;
  readonly name: string;
  /** The place of the object below its organization. */
  readonly placeIn: (organization: string) => string;
}

/** Says in which of the caller's other organizations an object is that this one does not have. */
export function Elsewhere({ resource, name, placeIn }: Props) {
  const here = namespace.value;
  const others = organizations.value.filter((one) => one.name !== here).slice(0, MOST);
  const isAsked = resource?.isNamespaced === true;
  const { state } = useLoad(
    async (signal) => {
      if (!isAsked) return [];
      const answers = await Promise.all(others.map((one) => isIn(one, resource, name, signal)));
      return others.filter((_, index) => answers[index]);
    },
    [resource, name, here, organizations.value],
  );
  return (
    <div role="status" class="stack tight">
      {state.value.value?.map((one) => (
        <p key={one.name} class="row">
          <span>
            It is in <b dir="auto">{one.title}</b>.
          </span>
          <Button onPress={() => enter(one.name, placeIn(one.name))}>Switch</Button>
        </p>
      ))}
    </div>
  );
}

async function isIn(organization: Organization, resource: Resource, name: string, signal: AbortSignal) {
  try {
    await get<unknown>(objectPath(resource, organization.name, name), {}, signal);
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
