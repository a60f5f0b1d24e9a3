import { useEffect, useMemo } from 'preact/hooks';
import { AccessPanel } from '../folders/access/panel.js';
import { DeskContext, newDesk } from '../folders/model/desk.js';
import { follow } from '../folders/tree/follow.js';
import type { TabProps } from '../object/props.js';

/** Who has access to a dashboard and why, and how to change it. */
export function PermissionsTab({ place, object }: TabProps) {
  const desk = useMemo(() => newDesk(place.namespace), [place.namespace]);
  // The folders above decide, too.
  useEffect(() => {
    const controller = new AbortController();
    follow(desk.store, controller.signal);
    return () => controller.abort();
  }, [desk]);
  const dashboard = useMemo(() => ({ ...object, kind: place.resource.kind }), [object, place.resource]);
  return (
    <DeskContext.Provider value={desk}>
      <AccessPanel folder={dashboard} />
    </DeskContext.Provider>
  );
}
