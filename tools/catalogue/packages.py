"""Packages of PyPI, npm and Go, fetched by their own clients and read where they lie."""
import datetime
import functools
import json
import os
import subprocess
import tarfile
import zipfile


class Packages:
    def __init__(self, folder):
        self.folder = folder.resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.notices = {}

    def _run(self, *words, **env):
        return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, **env}, cwd=self.folder).stdout

    def _note(self, name, version, owner):
        self.notices["%s %s" % (name, version)] = owner

    def used(self):
        """One line for each package that was read."""
        return ["%s: %s" % (name, owner) for name, owner in sorted(self.notices.items())]

    @functools.lru_cache(maxsize=None)
    def pypi(self, name, version, owner):
        """The wheel, as a zip file."""
        into = self.folder / "pypi"
        pattern = "%s-%s-*.whl" % (name.replace("-", "_"), version)
        if not list(into.glob(pattern)):
            self._run("pip", "download", "--quiet", "--no-deps", "--dest", str(into),
                      "%s==%s" % (name, version))
        self._note(name, version, owner)
        return zipfile.ZipFile(next(into.glob(pattern)))

    @functools.lru_cache(maxsize=None)
    def npm(self, name, version, owner):
        file = self.folder / ("%s-%s.tgz" % (name.lstrip("@").replace("/", "-"), version))
        if not file.exists():
            self._run("npm", "pack", "--silent", "%s@%s" % (name, version))
        self._note(name, version, owner)
        return tarfile.open(file)

    @functools.lru_cache(maxsize=None)
    def go(self, name, version, owner):
        """The module's folder."""
        found = json.loads(self._run("go", "mod", "download", "-json", "%s@%s" % (name, version),
                                     GOFLAGS="-mod=mod", GOPATH=str(self.folder / "go")))
        self._note(name, version, owner)
        return found["Dir"]


LIBCLOUD_OWNER = ("Copyright (c) 2010-2026 The Apache Software Foundation; includes software developed at The "
                  "Apache Software Foundation and by Cloudkick")


def libcloud(packages, version):
    """Its price list, with the day on which it was last changed."""
    wheel = packages.pypi("apache-libcloud", version, LIBCLOUD_OWNER)
    prices = json.loads(wheel.read("libcloud/data/pricing.json"))
    day = datetime.datetime.fromtimestamp(int(prices["updated"]), datetime.timezone.utc)
    return prices["compute"], day.date().isoformat()


LIBCLOUD = "3.9.1"
# Its figures for Azure and Google have not been renewed since this release.
LIBCLOUD_OLD = "3.2.0"


def libcloud_section(packages, name):
    """A part of the newest price list, and the day since which it has stood as it is."""
    section, day = libcloud(packages, LIBCLOUD)
    old_section, old_day = libcloud(packages, LIBCLOUD_OLD)
    is_old = section[name] == old_section.get(name)
    return section[name], old_day if is_old else day
