// Regular files, read whole; see files.py. Everything but a plain success is left to it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#ifndef _WIN32
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "tokens.hpp"

namespace rouge {

#ifndef _WIN32
constexpr int TO_READ = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

// Reads an open file to its end and closes it. known: its size; 0 if that is not known. `pread` fails if the file was replaced
// by a pipe or socket in the meantime, without taking anything out of it.
inline bool read_and_close(int file, std::vector<char>& buffer, std::string_view& data, std::size_t known = 0) {
    std::size_t size = 0;
    ::ssize_t got = file < 0 ? -1 : 1;
    while (got > 0 && (size == 0 || size != known)) {
        if (size == buffer.size()) buffer.resize(std::max<std::size_t>({1 << 16, size * 2, known}));
        do got = ::pread(file, buffer.data() + size, buffer.size() - size, static_cast<::off_t>(size));
        while (got < 0 && errno == EINTR);
        size += static_cast<std::size_t>(std::max<::ssize_t>(got, 0));
    }
    if (file >= 0) ::close(file);
    data = std::string_view(buffer.data(), size);
    return got >= 0;
}
#endif

// The file's bytes, in a buffer that grows and is not cleared; false if they cannot be read here.
inline bool whole_file(const char* path, std::vector<char>& buffer, std::string_view& data) {
#ifdef _WIN32
    (void)path, (void)buffer, (void)data;
    return false;
#else
    // Streams that can be read only once, and may block, are left to Python, which can be interrupted. Not even opened: who
    // writes to one would take this for its reader.
    struct stat about;
    if (::stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return false;
    return read_and_close(::open(path, TO_READ), buffer, data, static_cast<std::size_t>(about.st_size));
#endif
}

// The folders of many small files. They are listed, which takes less time than to ask for each file whether it is a regular
// one, and stay open, so that the way to each file is short.
class Folders {
public:
    // paths: of the files that will be read.
    explicit Folders(const std::vector<std::string_view>& paths) {
#ifndef DT_REG  // Windows, and systems whose listings do not tell regular files
        (void)paths;
#else
        struct rlimit open;
        if (::getrlimit(RLIMIT_NOFILE, &open) != 0 || open.rlim_cur < FEWEST_OPEN) return;
        std::map<std::string_view, std::size_t> wanted;
        for (std::string_view path : paths) ++wanted[of(path)];
        for (const auto& [path, files] : wanted) {
            if (files < FEWEST || path.empty() || folders_.size() == MOST) continue;
            Listing listing(::opendir(std::string(path).c_str()), ::closedir);
            if (listing == nullptr) continue;
            Known names;
            for (std::size_t left = files * 2; left > 0; --left) {  // of a large folder, some may be missed
                const struct dirent* const entry = ::readdir(listing.get());
                if (entry == nullptr) break;
                if (entry->d_type == DT_REG) names.add(token_of(entry->d_name), 0);
            }
            folders_.push_back({std::string(path), std::move(listing), std::move(names)});
        }
#endif
    }

    // As `whole_file`.
    bool read(const std::string& path, std::vector<char>& buffer, std::string_view& data) const {
#ifndef _WIN32
        for (const Folder& folder : folders_) {
            if (of(path) != folder.path) continue;
            const char* const name = path.c_str() + folder.path.size();
            if (folder.names.find(token_of(name)) == Known::UNKNOWN) break;
            return read_and_close(::openat(::dirfd(folder.listing.get()), name, TO_READ), buffer, data);
        }
#endif
        return whole_file(path.c_str(), buffer, data);
    }

private:
#ifndef _WIN32
    static constexpr std::size_t FEWEST = 64, MOST = 16;
    static constexpr ::rlim_t FEWEST_OPEN = 64;  // files: where fewer may be open, all are for reading
    using Listing = std::unique_ptr<DIR, int (*)(DIR*)>;

    struct Folder {
        std::string path;  // with the slash at its end
        Listing listing;
        Known names;  // of regular files
    };

    static std::string_view of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

    std::vector<Folder> folders_;
#endif
};

}  // namespace rouge
