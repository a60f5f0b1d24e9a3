import { useEffect, useMemo } from 'preact/hooks';
import type { KubeObject } from '../../lib/object.js';
import { isAnonymous } from '../../lib/session.js';
import { download } from '../../ui/download.js';
import { Menu, type MenuItem } from '../../ui/menu.js';
import { report } from '../../ui/toasts.js';
import { Star } from '../folders/contents/item-line.js';
import { DeskContext, newDesk, useDesk } from '../folders/model/desk.js';
import { useItemKeys } from '../folders/model/keys.js';
import { parentOf } from '../folders/model/kinds.js';
import { useRefusals } from '../folders/model/rights.js';
import { Tasks } from '../folders/tasks.js';
import { useUsualItems } from '../object/actions.js';
import type { ActionsProps } from '../object/props.js';
import { titleOf } from '../object/title.js';
import type { Place } from '../object/use-object.js';
import { exportedText, fileOf } from './export.js';

const VERBS = ['update', 'delete'] as const;

/** The star and the menu of a dashboard. */
export function DashboardActions({ place, object, isThere }: ActionsProps) {
  const desk = useMemo(() => newDesk(place.namespace), [place.namespace]);
  useEffect(() => void desk.stars.load().catch(report), [desk]);
  return (
    <DeskContext.Provider value={desk}>
      <div class="row">{isThere && object !== undefined && <Actions place={place} object={object} />}</div>
      <Tasks shownFolder={undefined} />
    </DeskContext.Provider>
  );
}

function Actions({ place, object }: { readonly place: Place; readonly object: KubeObject }) {
  const { task } = useDesk();
  const { name } = place;
  const title = titleOf(object) ?? name;
  const item = { kind: 'dashboards', name, title } as const;
  const refusals = useRefusals(VERBS, name, 'dashboards');
  useItemKeys(item);
  const own: readonly MenuItem[] = [
    {
      label: 'Rename and describe… (F2)',
      unavailable: refusals.update,
      run: () => (task.value = { kind: 'edit', item }),
    },
    { label: 'Download as JSON', run: async () => download(await exportedText(object, false), fileOf(title)) },
    {
      label: 'Replace by JSON…',
      unavailable: refusals.update,
      run: () => (task.value = { kind: 'import', parent: parentOf(object), onto: name }),
    },
    { label: 'Move to… (Shift+F2)', unavailable: refusals.update, run: () => (task.value = { kind: 'move', item }) },
  ];
  const remove: MenuItem = {
    label: 'Delete… (Delete)',
    isDangerous: true,
    unavailable: refusals.delete,
    run: () => (task.value = { kind: 'delete', item }),
  };
  return (
    <>
      {!isAnonymous.value && <Star name={name} title={title} />}
      <Menu label={`Actions for ${title}`} items={[...own, ...useUsualItems(place), remove]} />
    </>
  );
}
