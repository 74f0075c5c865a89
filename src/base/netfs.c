/* netfs.c - file systems whose files other machines may write to. */
#include "base/netfs.h"

#include <stddef.h>
#include <sys/vfs.h>

/* linux/magic.h does not have all of them. */
static const unsigned types[] = {
    0x00006969, /* NFS */
    0x0000517b, /* SMB */
    0xff534d42, /* CIFS */
    0xfe534d42, /* SMB 2 and later */
    0x65735546, /* FUSE: sshfs, object stores, virtiofs, ... */
    0x0bd00bd0, /* Lustre */
    0x47504653, /* GPFS */
    0x19830326, /* BeeGFS */
    0xaad7aaea, /* PanFS */
    0x00c36400, /* Ceph */
    0x5346414f, /* AFS */
    0x6b414653, /* AFS of the kernel */
    0x73757245, /* Coda */
    0x01021997, /* 9P */
    0x20030528, /* OrangeFS */
    0x7461636f, /* OCFS2 */
    0x01161970, /* GFS2 */
    0x61636673, /* ACFS */
    0x0000564c, /* NCP */
    0x786f4256, /* shared folders of VirtualBox */
    0xbacbacbc, /* shared folders of VMware */
};

bool gput__netfs_has_type(unsigned long type)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if ((unsigned)type == types[i])
            return true;
    return false;
}

bool gput__netfs_has(int fd)
{
    struct statfs fs;

    return fstatfs(fd, &fs) < 0 || gput__netfs_has_type((unsigned long)fs.f_type);
}
