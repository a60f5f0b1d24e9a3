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
  const all = KINDS.filter((kind) => (contents?.[kind] ?? 0) > 0).map((kind) => counted(kind, contents?.[kind] ?? 0));
  return (
    <>
      <span class="item-contents muted" {...(all.length > 0 && { title: all.join(', ') })}>
        {all.length > 0 && (
          <span class="item-total" aria-hidden="true">
            {KINDS.reduce((sum, kind) => sum + (contents?.[kind] ?? 0), 0).toLocaleString('en')}
          </span>
        )}
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
