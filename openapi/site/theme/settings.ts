import { reactive, watch } from 'vue';

const storageName = 'cubby-docs';

function stored(): { address: string; key: string } {
  // Pages are also rendered where no browser is, and storage may be forbidden.
  try {
    const { address = '', key = '' } = JSON.parse(sessionStorage.getItem(storageName) ?? '{}') as Record<
      string,
      string
    >;
    return { address, key };
  } catch {
    return { address: '', key: '' };
  }
}

/** The reader's own address and key, kept until the tab is closed. Empty if none was entered. */
export const ownServer = reactive({ address: '', key: '' });

/** Takes over what the reader entered on an earlier page, and keeps what follows. Called once the page equals what was built. */
export function restoreOwnServer(): void {
  Object.assign(ownServer, stored());
  watch(ownServer, (now) => {
    try {
      sessionStorage.setItem(storageName, JSON.stringify(now));
    } catch {
      // The settings then last until the next page load.
    }
  });
}

/** Returns the address of the API that serves this page. The server writes it into the page. */
export function thisServer(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="cubby-api"]')?.content ?? location.origin;
}
