import { messages } from '../../app/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { openDialog } from '../../ui/dialogs.tsx';
import { chooseFiles, chooseFolder } from './choose-files.ts';
import { NewFolderDialog } from './new-folder-dialog.tsx';
import type { Place } from './place.ts';
import { isPanelOpened, isPublicChosen } from './uploads.ts';

export function askForFolder(place: Place): void {
  void openDialog((close) => <NewFolderDialog place={place} close={close} />);
}

/** The buttons that add something to a folder. */
export function AddButtons({ place }: { readonly place: Place }) {
  const { files } = messages();
  return (
    <>
      <Button icon="plus" onClick={() => askForFolder(place)}>
        {files.newFolder}
      </Button>
      <Button class="wide-only" icon="folder" onClick={() => chooseFolder(place)}>
        {files.uploadFolder}
      </Button>
      <IconButton
        icon={isPublicChosen.value ? 'globe' : 'lock'}
        label={`${files.uploadAs}: ${isPublicChosen.value ? files.public : files.private}`}
        onClick={() => (isPanelOpened.value = true)}
      />
      <Button kind="first" icon="upload" onClick={() => chooseFiles(place)}>
        {files.upload}
      </Button>
    </>
  );
}
