// Regular files, read whole: files.py says what is opened and how. All that is not a plain success is left to it.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#ifndef _WIN32
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace rouge {

// The file's bytes, in a buffer that grows and is not cleared; false if they cannot be had here.
//
// largest: files of more bytes are left alone.
inline bool whole_file(const char* path, std::vector<char>& buffer, std::string_view& data,
                       std::size_t largest = ~std::size_t(0)) {
#ifdef _WIN32
    (void)path, (void)buffer, (void)data, (void)largest;
    return false;
#else
    // What can be read but once, and may have to be waited for, is not begun here: the Python is interruptible.
    struct stat about;
    if (::stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return false;
    if (static_cast<std::size_t>(about.st_size) > largest) return false;
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    std::size_t size = 0;
    for (;;) {
        if (size == buffer.size()) buffer.resize(std::max<std::size_t>(1 << 16, size * 2));
        const ::ssize_t got = ::read(file, buffer.data() + size, buffer.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            ::close(file);
            data = std::string_view(buffer.data(), size);
            return got == 0;
        }
        size += static_cast<std::size_t>(got);
        if (size == static_cast<std::size_t>(about.st_size)) {  // to its end, as far as it was known
            ::close(file);
            data = std::string_view(buffer.data(), size);
            return true;
        }
    }
#endif
}

// Small files read ahead of their use by a thread of its own: opening thousands of them takes as long as counting
// what is in them. Nobody ever waits for it: a file that is not there yet is read by whoever wants it. The thread
// touches no Python object, and keeps what it shares alive by itself.
class ReadAhead {
public:
    // Fewer files are not worth a thread, and for more of them the paths alone would take much memory.
    static constexpr std::size_t FEWEST = 64, MOST = 100000;
    // So many files, none larger than this, are held at most.
    static constexpr std::size_t WINDOW = 256, LARGEST = 1 << 16;

    // paths: in the order of their use, or nearly; each once.
    explicit ReadAhead(std::vector<std::string> paths) {
#ifdef _WIN32
        (void)paths;  // files are not read here at all
#else
        if (paths.size() < FEWEST || paths.size() > MOST || std::thread::hardware_concurrency() < 2) return;
        auto shared = std::make_shared<Shared>();
        shared->files.resize(paths.size());
        for (std::size_t place = 0; place < paths.size(); ++place) shared->places.emplace(paths[place], place);
        shared->paths = std::move(paths);
        try {
            std::thread(read, shared).detach();
        } catch (const std::system_error&) {
            return;  // no thread to be had: files are read when they are wanted
        }
        shared_ = shared;
#endif
    }

    ~ReadAhead() {
        if (shared_ == nullptr) return;
        const std::lock_guard<std::mutex> lock(shared_->mutex);
        shared_->stopped = true;
        shared_->wake.notify_one();
    }

    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    // The file's bytes, at its first use, if they have been read by now.
    bool take(const std::string& path, std::vector<char>& data) {
        if (shared_ == nullptr) return false;
        const auto found = shared_->places.find(path);
        if (found == shared_->places.end()) return false;
        File& file = shared_->files[found->second];
        const std::lock_guard<std::mutex> lock(shared_->mutex);
        file.wanted = true;
        if (!file.ready) return false;
        data = std::move(file.bytes);
        file.bytes = std::vector<char>();
        file.ready = false;
        --shared_->held;
        shared_->wake.notify_one();
        return true;
    }

private:
    struct File {
        std::vector<char> bytes;
        bool ready = false, wanted = false;
    };

    // Paths and places are not changed once there is a thread; all else is the mutex's.
    struct Shared {
        std::mutex mutex;
        std::condition_variable wake;
        std::vector<std::string> paths;
        std::unordered_map<std::string, std::size_t> places;
        std::vector<File> files;
        std::size_t held = 0;
        bool stopped = false;
    };

    static void read(std::shared_ptr<Shared> shared) {
        try {
            std::vector<char> buffer;
            for (std::size_t place = 0; place < shared->paths.size(); ++place) {
                File& file = shared->files[place];
                {
                    std::unique_lock<std::mutex> lock(shared->mutex);
                    shared->wake.wait(lock, [&] { return shared->stopped || shared->held < WINDOW; });
                    if (shared->stopped) return;
                    if (file.wanted) continue;
                }
                std::string_view data;
                if (!whole_file(shared->paths[place].c_str(), buffer, data, LARGEST)) continue;
                std::vector<char> bytes(data.begin(), data.end());
                const std::lock_guard<std::mutex> lock(shared->mutex);
                if (file.wanted) continue;
                file.bytes = std::move(bytes);
                file.ready = true;
                ++shared->held;
            }
        } catch (const std::exception&) {
            return;  // out of memory: nobody waits
        }
    }

    std::shared_ptr<Shared> shared_;
};

}  // namespace rouge
