import { signal } from '@preact/signals';

export interface Dragged {
  readonly kind: 'folders' | 'dashboards';
  readonly name: string;
  readonly title: string;
}

/** What is being dragged. Places need it to accept or refuse it. */
export const dragged = signal<Dragged | undefined>(undefined);

/** The attributes of an element that can be dragged. */
export function dragging(item: Dragged) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer?.setData('text/plain', item.title);
      if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = 'move';
      dragged.value = item;
    },
    onDragEnd: () => {
      dragged.value = undefined;
    },
  };
}

/** The place under the pointer while something is dragged. */
export const over = signal<string | undefined>(undefined);

/** The attributes of a place on which something can be dropped. */
export function dropping(place: string, onDrop: (item: Dragged) => void) {
  const isTaken = (): boolean =>
    dragged.value !== undefined && !(dragged.value.kind === 'folders' && dragged.value.name === place);
  return {
    onDragOver: (event: DragEvent) => {
      if (!isTaken()) return;
      event.preventDefault();
      over.value = place;
    },
    onDragLeave: () => {
      if (over.value === place) over.value = undefined;
    },
    onDrop: (event: DragEvent) => {
      const item = dragged.value;
      event.preventDefault();
      over.value = undefined;
      dragged.value = undefined;
      if (item !== undefined) onDrop(item);
    },
  };
}
