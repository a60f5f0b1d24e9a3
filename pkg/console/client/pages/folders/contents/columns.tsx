import { useEffect } from 'preact/hooks';
import { Time } from '../../../ui/time.js';
import { useDesk } from '../model/desk.js';
import type { Item } from '../model/elements.js';
import { counted, KINDS } from '../model/kinds.js';

/** What lies in a folder, who changed the object, and when. Rows in view ask for it together. */
export function Columns({ item }: { readonly item: Item }) {
  const { details } = useDesk();
  const epoch = details.epoch.value;
  useEffect(() => details.ask(item), [item.kind, item.name, epoch]);
  const { updated, updatedBy, contents } = details.of(item) ?? {};
  return (
    <>
      <span class="item-contents muted">
        {KINDS.flatMap((kind) => {
          const count = contents?.[kind] ?? 0;
          if (count === 0) return [];
          return [
            <span key={kind} class="item-count" title={counted(kind, count)}>
              <span class={`kind-icon ${kind}`} aria-hidden="true" />
              <span aria-hidden="true">{count.toLocaleString('en')}</span>
              <span class="sr-only">{counted(kind, count)}</span>
            </span>,
          ];
        })}
      </span>
      <span class="item-changed muted cut">
        {updated !== undefined && <span class="sr-only">changed </span>}
        <Time at={updated} />
      </span>
      <span class="item-by muted cut" title={updatedBy?.login} dir="auto">
        {updatedBy !== undefined && <span class="sr-only">by </span>}
        {updatedBy?.name}
      </span>
    </>
  );
}
